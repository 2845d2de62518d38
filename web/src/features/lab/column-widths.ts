/** Widths of columns by what stands in them: narrow for short values, wide for long texts. Pure. */

const CHARACTER_PX = 7;
const PADDING_PX = 28;
const [LEAST_PX, MOST_PX] = [72, 240];
const LONGEST = 120;

export interface ColumnWidths {
  /** Tracks of a CSS grid. */
  tracks: string;
  /** The pixels below which the columns do not shrink, together. */
  least: number;
}

/** `columns` are the texts of each column, its head among them. Of many texts, one in ten may be longer than the rest. */
export function widthsOf(columns: readonly (readonly string[])[]): ColumnWidths {
  const lengths = columns.map((texts) => {
    const sorted = texts.map(({ length }) => length).sort((a, b) => a - b);
    return Math.max(texts[0]?.length ?? 0, sorted[Math.ceil((sorted.length - 1) * 0.9)] ?? 0);
  });
  const pixels = lengths.map((length) =>
    Math.min(MOST_PX, Math.max(LEAST_PX, length * CHARACTER_PX + PADDING_PX)),
  );
  return {
    tracks: lengths
      .map((length, at) => `minmax(${pixels[at]}px, ${Math.min(LONGEST, Math.max(1, length))}fr)`)
      .join(" "),
    least: pixels.reduce((sum, each) => sum + each, 0),
  };
}
