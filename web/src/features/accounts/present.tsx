/** The other people of a workspace who have a session open now, as faces with initials. */
import { useQuery } from "@tanstack/react-query";
import { meQuery, workspacesQuery } from "@/api/me";
import { presentQuery } from "@/api/queries";
import { Initials } from "@/features/accounts/initials";
import { tooltip } from "@/ui/tooltip";

/** More faces than these become a number. */
const FACES = 4;

export function Present({ sessionId }: { sessionId: string }) {
  const { data: present = [] } = useQuery(presentQuery(sessionId));
  const { data: workspaces } = useQuery(workspacesQuery);
  const { data: me } = useQuery(meQuery);
  const members = workspaces?.flatMap((each) => each.members) ?? [];
  const others = present.filter((id) => id !== me?.person?.id);
  const names = others.map((id) => members.find((each) => each.id === id)?.name ?? "A member");
  if (names.length === 0) return null;
  const shown = names.length > FACES ? names.slice(0, FACES - 1) : names;
  return (
    <ul aria-label="Also here" className="flex items-center -space-x-1.5">
      {shown.map((name, index) => (
        <li key={others[index]} {...tooltip(`${name} is here`)}>
          <span className="sr-only">{name}</span>
          <Initials name={name} className="border border-line-strong text-ink" />
        </li>
      ))}
      {names.length > shown.length && (
        <li {...tooltip(names.slice(shown.length).join(", "))} className="num pl-3 text-xs text-ink-2">
          +{names.length - shown.length}
        </li>
      )}
    </ul>
  );
}
