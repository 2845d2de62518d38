/** What the address of the library says: its filters, and what is open. */
import type { AssetKind } from "@/api/library";

export const KINDS: readonly { kind: AssetKind; label: string }[] = [
  { kind: "picture", label: "Pictures" },
  { kind: "code", label: "Code" },
  { kind: "table", label: "Tables" },
  { kind: "text", label: "Texts" },
  { kind: "export", label: "Exports" },
  { kind: "file", label: "Files" },
];

/** By the days that they go back. */
const SPANS = { day: 1, week: 7, month: 31, year: 366 } as const;
export type Span = keyof typeof SPANS;

export interface LibrarySearch {
  search?: string | undefined;
  kind?: AssetKind | undefined;
  model?: string | undefined;
  session?: string | undefined;
  tag?: string | undefined;
  span?: Span | undefined;
  oldest?: boolean | undefined;
  open?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

/** Read an address; what nobody knows is ignored. */
export const readLibrarySearch = (raw: Record<string, unknown>): LibrarySearch => ({
  search: text(raw.search),
  kind: KINDS.find(({ kind }) => kind === raw.kind)?.kind,
  model: text(raw.model),
  session: text(raw.session),
  tag: text(raw.tag),
  span: (Object.keys(SPANS) as Span[]).find((span) => span === raw.span),
  oldest: raw.oldest === true || raw.oldest === "true" || undefined,
  open: text(raw.open),
});

/** The filter of a search, as the server takes it; a span begins at midnight, so that a page keeps its place. */
export function filterOf(search: LibrarySearch, now: Date) {
  const { span, oldest, open: _, ...rest } = search;
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (span) start.setDate(start.getDate() - SPANS[span] + 1);
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(span && { since: start.toISOString() }),
    ...(oldest && { oldest_first: true }),
  };
}
