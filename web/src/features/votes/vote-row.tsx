/** A vote: what was asked, who met, what was chosen, and what became of it. */

import { Link } from "@tanstack/react-router";
import { Award, ExternalLink, Play } from "lucide-react";
import type { CategoryCard } from "@/api/standings-types";
import type { VoteCard } from "@/api/votes";
import { RelativeTime } from "@/components/relative-time";
import { ModelName } from "@/features/standings/model-name";
import { CategoryEditor } from "@/features/votes/category-editor";
import { cn } from "@/lib/cn";
import { whyNotCounted } from "@/lib/not-counted";
import { Button } from "@/ui/button";

interface VoteRowProps {
  vote: VoteCard;
  categories: readonly CategoryCard[];
}

export function VoteRow({ vote, categories }: VoteRowProps) {
  return (
    <li className="flex flex-col gap-1.5 border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Meeting vote={vote} />
        <span className="ml-auto text-xs text-ink-3">
          <RelativeTime at={vote.created_at} />
        </span>
      </div>
      <p
        className={cn(
          "line-clamp-2 [overflow-wrap:anywhere]",
          vote.prompt ? "text-ink-2" : "text-ink-3 italic",
        )}
      >
        {vote.prompt ?? (vote.origin === "import" ? "Imported without text." : "Session deleted.")}
      </p>
      {vote.reason && (
        <p className="line-clamp-2 text-sm text-gold [overflow-wrap:anywhere]">“{vote.reason}”</p>
      )}
      {!vote.counted && <p className="text-sm text-ink-2">{whyNotCounted(vote.not_counted_reason)}</p>}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <CategoryEditor vote={vote} categories={categories} />
        <span className="ml-auto flex">
          {vote.turn_id && (
            <Button asChild size="sm" variant="quiet">
              <Link to="/votes/$vote/replay" params={{ vote: vote.vote_id }}>
                <Play aria-hidden="true" />
                <span className="max-sm:sr-only">Replay</span>
              </Link>
            </Button>
          )}
          {vote.session_id && (
            <Button asChild size="sm" variant="quiet">
              <Link to="/s/$session" params={{ session: vote.session_id }} search={{}}>
                <ExternalLink aria-hidden="true" />
                <span className="max-sm:sr-only">Open</span>
              </Link>
            </Button>
          )}
        </span>
      </div>
    </li>
  );
}

const BETWEEN: Record<string, string> = {
  tie: "tied with",
  both_bad: "as bad as",
};

function Meeting({ vote }: { vote: VoteCard }) {
  const chosen = vote.seats.find(({ seat }) => seat === vote.choice);
  const decided = chosen !== undefined;
  const [first, ...others] = chosen ? [chosen, ...vote.seats.filter((each) => each !== chosen)] : vote.seats;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      {decided && <Award aria-hidden="true" className="size-4 shrink-0 text-gold" />}
      {first && <ModelName model={first.model} className={cn(decided && "text-gold")} />}
      <span className="text-ink-3">{decided ? "over" : (BETWEEN[vote.choice] ?? vote.choice)}</span>
      {others.map(({ seat, model }) => (
        <ModelName key={seat} model={model} />
      ))}
    </p>
  );
}
