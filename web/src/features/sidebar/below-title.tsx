/** What stands below a session's title: the words around what a search found, and the session's tags. */
import type { SessionCard } from "@/api/types";

export function BelowTitle({ session, search }: { session: SessionCard; search: string }) {
  return (
    <>
      {session.excerpt && <Excerpt text={session.excerpt} search={search} />}
      {session.tags.length > 0 && (
        <span className="flex flex-wrap gap-1 pb-1.5">
          {session.tags.map((tag) => (
            <span
              key={tag}
              className="max-w-full truncate rounded-xs border border-line-strong px-1 text-2xs text-ink-2"
            >
              {tag}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

/** The words around what a search found, with the found ones marked. */
function Excerpt({ text, search }: { text: string; search: string }) {
  const at = text.toLowerCase().indexOf(search.toLowerCase());
  const end = at + search.length;
  return (
    <span className="mb-1 line-clamp-2 text-xs text-ink-3">
      {at < 0 ? (
        text
      ) : (
        <>
          {text.slice(0, at)}
          <mark className="rounded-xs bg-accent/25 text-ink">{text.slice(at, end)}</mark>
          {text.slice(end)}
        </>
      )}
    </span>
  );
}
