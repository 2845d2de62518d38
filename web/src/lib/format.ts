/** Numbers with their units, as the page prints them. */

const NONE = "–";

export const formatMs = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
};

export const formatCount = (value: number): string => value.toLocaleString("en-US");

export const formatRate = (perSecond: number | null | undefined): string =>
  perSecond === null || perSecond === undefined ? NONE : `${perSecond.toFixed(perSecond < 10 ? 1 : 0)} tok/s`;

/** Micro-dollars as dollars; tiny sums keep enough digits to be seen. */
export const formatCost = (micros: number | null | undefined): string => {
  if (micros === null || micros === undefined) return NONE;
  if (micros === 0) return "$0";
  const dollars = micros / 1e6;
  if (dollars < 0.0001) return "< $0.0001";
  return `$${dollars < 0.1 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
};

/** Dollars with two digits behind the point, or three where the third one counts. */
export const formatPrice = (perMillion: number): string =>
  Number.isInteger(perMillion)
    ? `$${perMillion.toLocaleString("en-US")}`
    : `$${perMillion.toFixed(3).replace(/0$/, "")}`;

export const formatContext = (tokens: number | null): string => {
  if (tokens === null) return NONE;
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
};

export const formatSigned = (value: number): string => {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${Math.abs(rounded)}` : "±0";
};
