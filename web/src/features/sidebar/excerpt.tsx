/** The words around what a search found, with the found ones marked. */
export function Excerpt({ text, search }: { text: string; search: string }) {
  const at = text.toLowerCase().indexOf(search.toLowerCase());
  const end = at + search.length;
  return (
    <span className="line-clamp-2 pb-1 text-xs text-ink-3">
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
