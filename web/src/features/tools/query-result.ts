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

export interface Bar {
  label: string;
  value: number;
}

const MOST_BARS = 24;

/** The bars of a chart: a name in the first column, and the last one of numbers; null where a chart helps nobody. */
export function barsOf({ columns, numeric, rows }: QueryTable): { title: string; bars: Bar[] } | null {
  const value = numeric.lastIndexOf(true);
  if (numeric[0] || value < 1 || rows.length < 2 || rows.length > MOST_BARS) return null;
  const bars = rows.flatMap((row) => {
    const number = row[value];
    return typeof number === "number" ? [{ label: shown(row[0] ?? null), value: number }] : [];
  });
  return bars.length === rows.length ? { title: columns[value] ?? "", bars } : null;
}

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
