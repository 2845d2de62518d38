/** The colours of seats: the same in a chip, a panel and a chart. */
const COLORS = ["a", "b", "c", "d", "e", "f"];

/** The colour of the n-th seat, from 0; after six they begin again. */
export const seatColor = (index: number): string => `var(--seat-${COLORS[index % COLORS.length]})`;
