/** The result of a query as the page reads, draws and exports it. Pure. */

export type Cell = string | number | boolean | null;

export interface QueryTable {
  columns: string[];
  numeric: boolean[];
  rows: Cell[][];
  /** Rows that the query returned, those too that are not here. */
  rowCount: number;
}

/** What the tool “query” was called with; null where that is not readable. */
export function queryOf(text: string): { sql: string; title: string } | null {
  const value = parsed(text);
  if (!isRecord(value) || typeof value.sql !== "string") return null;
  return { sql: value.sql, title: typeof value.title === "string" ? value.title : "" };
}

/** The rows in the text of a tool's result; null where it is something else. */
export function tableOf(text: string): QueryTable | null {
  const value = parsed(text);
  if (!isRecord(value)) return null;
  const { columns, numeric, rows, row_count } = value;
  if (!Array.isArray(columns) || !Array.isArray(numeric) || !Array.isArray(rows)) return null;
  if (!rows.every((row) => Array.isArray(row) && row.length === columns.length)) return null;
  return {
    columns: columns.map(String),
    numeric: numeric.map(Boolean),
    rows: rows as Cell[][],
    rowCount: typeof row_count === "number" ? row_count : rows.length,
  };
}

export interface Point {
  label: string;
  value: number;
}

/** Bars compare names, a line follows times. */
export interface Chart {
  kind: "bars" | "line";
  title: string;
  points: Point[];
}

const MOST = { bars: 24, line: 1000 } as const;

/** The last column of numbers over the columns of words or times; null where a chart helps nobody. */
export function chartOf({ columns, numeric, rows }: QueryTable): Chart | null {
  const times = columns.findIndex((name, at) => isOrdered(name, rows, at));
  const value = numeric.findLastIndex((is, at) => is && at !== times);
  const names = numeric.flatMap((is, at) => (is || at === times ? [] : [at]));
  const kind = times >= 0 && names.length === 0 ? "line" : "bars";
  const by = kind === "line" ? [times] : names.length > 0 ? names : [];
  const points = rows.flatMap((row) => {
    const number = row[value];
    const label = by.map((at) => labelOf(row[at] ?? null)).join(" · ");
    return typeof number === "number" ? [{ label, value: number }] : [];
  });
  const distinct = new Set(points.map(({ label }) => label)).size === rows.length;
  const enough = rows.length >= (kind === "line" ? 3 : 2) && rows.length <= MOST[kind];
  if (value < 0 || by.length === 0 || by.length > 2 || !enough || !distinct) return null;
  return points.length === rows.length ? { kind, title: columns[value] ?? "", points } : null;
}

const DATE = /^\d{4}-\d\d(-\d\d)?/;
const PERIOD = /^(year|quarter|month|week|day|hour|date)$/i;

/** Dates, or numbers of years or months, that grow from row to row. */
function isOrdered(name: string, rows: readonly Cell[][], at: number): boolean {
  const cells = rows.map((row) => row[at] ?? null);
  const dated = cells.every((cell) => typeof cell === "string" && DATE.test(cell));
  const counted = PERIOD.test(name) && cells.every((cell) => typeof cell === "number");
  return (
    cells.length > 0 &&
    (dated || counted) &&
    cells.every(
      (cell, row) =>
        row === 0 || String(cells[row - 1]).localeCompare(String(cell), "en", { numeric: true }) < 0,
    )
  );
}

/** Midnight says nothing about a day, and a year has no thousands. */
const labelOf = (cell: Cell): string =>
  typeof cell === "number" ? String(cell) : shown(cell).replace(/[ T]00:00:00$/, "");

export const shown = (cell: Cell): string =>
  cell === null
    ? "–"
    : typeof cell === "number"
      ? cell.toLocaleString("en-US", { maximumFractionDigits: 4 })
      : String(cell);

/** A table as CSV. A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvOf({ columns, rows }: Pick<QueryTable, "columns" | "rows">): string {
  const field = (cell: Cell) => {
    if (cell === null) return "";
    const text = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
