/** What stands below a session's title: the words around what a search found, and the session's tags. */
import type { SessionCard } from "@/api/types";
import { fold, patternOf } from "@/lib/fold";

export function SessionDetails({ session, search }: { session: SessionCard; search: string }) {
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
  const folded = fold(text);
  const match = patternOf(search).exec(folded.text);
  const { start, end } = folded.placeOf({
    start: match?.index ?? 0,
    end: match ? match.index + match[0].length : 0,
  });
  return (
    <span className="mb-1 line-clamp-2 text-xs text-ink-3">
      {!match || match[0] === "" ? (
        text
      ) : (
        <>
          {text.slice(0, start)}
          <mark className="rounded-xs bg-accent/25 text-ink">{text.slice(start, end)}</mark>
          {text.slice(end)}
        </>
      )}
    </span>
  );
}
