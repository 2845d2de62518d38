/** Over the list of people: how many there are of each kind, a search where they are many, and the invitation. */
import { Search, UserPlus } from "lucide-react";
import type { Person } from "@/api/accounts";
import { countPeople, KINDS, type Kind } from "@/features/accounts/people-list";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

const LABELS: Record<Kind, string> = {
  people: "People",
  administrators: "Administrators",
  guests: "Guests",
  disabled: "Disabled",
};

/** More people than are found at a glance. */
const MANY = 10;

interface PeopleBarProps {
  people: readonly Person[];
  kind: Kind;
  onKind: (kind: Kind) => void;
  search: string;
  onSearch: (search: string) => void;
  onInvite: () => void;
}

export function PeopleBar({ people, kind, onKind, search, onSearch, onInvite }: PeopleBarProps) {
  const counts = countPeople(people);
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3">
      <div role="group" aria-label="Show" className="flex min-w-0 flex-wrap gap-1.5">
        {KINDS.filter((each) => each === "people" || each === kind || counts[each] > 0).map((each) => (
          <Button
            key={each}
            size="sm"
            variant="chip"
            aria-pressed={kind === each}
            className={cn(kind === each && "border-line-strong! bg-raised! text-ink!")}
            onClick={() => onKind(each)}
          >
            {LABELS[each]}
            <span className="num text-ink-3">{formatCount(counts[each])}</span>
          </Button>
        ))}
      </div>
      <span className="flex-1 max-sm:hidden" />
      {people.length > MANY && (
        <Field
          type="search"
          aria-label="Search people"
          placeholder="Search people"
          icon={<Search />}
          className="w-44 min-w-0 max-sm:grow"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      )}
      <Button variant="primary" onClick={onInvite}>
        <UserPlus aria-hidden="true" />
        Invite by link
      </Button>
    </div>
  );
}
