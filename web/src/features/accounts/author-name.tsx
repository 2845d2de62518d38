/** Who wrote a question, in a workspace. */
import { useQuery } from "@tanstack/react-query";
import { meQuery, workspacesQuery } from "@/api/me";

export function AuthorName({ id }: { id: string }) {
  const { data: workspaces } = useQuery(workspacesQuery);
  const { data: me } = useQuery(meQuery);
  const member = workspaces?.flatMap((each) => each.members).find((each) => each.id === id);
  const name = me?.person?.id === id ? "You" : (member?.name ?? "A former member");
  return <p className="mb-0.5 text-xs font-normal tracking-normal text-ink-3">{name}</p>;
}
