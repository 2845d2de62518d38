/** Columns and cells that several tables of ratings have. */

import type { Column } from "@/components/table";
import { IntervalBar } from "@/features/standings/interval-bar";
import { shortVoter } from "@/features/standings/voter";
import { formatMargin, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";

interface Rated {
  rating: number;
  ci_lower: number | null;
  ci_upper: number | null;
}

/** The interval of a score as a bar. */
export const intervalColumn = <Row extends Rated, Sort extends string>(
  scale: Scale,
  colorOf: (row: Row) => string,
  size: Pick<Column<Row, Sort>, "width" | "narrow">,
): Column<Row, Sort> => ({
  header: "Interval",
  silent: true,
  cell: (row) => (
    <IntervalBar
      rating={row.rating}
      lower={row.ci_lower}
      upper={row.ci_upper}
      scale={scale}
      color={colorOf(row)}
    />
  ),
  ...size,
});

/** Voters by their pseudonyms. */
export const voterColumn = <Row extends { voter_id: string }, Sort extends string>(
  header: string,
): Column<Row, Sort> => ({
  header,
  cell: (row) => shortVoter(row.voter_id),
  cellTitle: (row) => row.voter_id,
  names: true,
  className: "font-mono",
});

export const ScoreWithMargin = ({ rating, ci_lower, ci_upper }: Rated) => (
  <>
    {formatRating(rating)}{" "}
    <span className="text-xs font-normal text-ink-3">{formatMargin(ci_lower, ci_upper)}</span>
  </>
);
