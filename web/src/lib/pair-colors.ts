/** The two sides of a comparison, whoever they are: an organisation's own colour could be the same on both. */
export const PAIR_COLORS = { left: "var(--series-1)", right: "var(--series-4)" } as const;
