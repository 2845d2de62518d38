/** Numbers with their units, as the page prints them. */

/** What is counted: one of it, and many. */
const NOUNS = {
  answer: ["answer", "answers"],
  asset: ["asset", "assets"],
  file: ["file", "files"],
  finding: ["finding", "findings"],
  model: ["model", "models"],
  openPoint: ["open point", "open points"],
  other: ["other", "others"],
  pattern: ["pattern", "patterns"],
  preset: ["saved line-up", "saved line-ups"],
  prompt: ["prompt", "prompts"],
  row: ["row", "rows"],
  session: ["session", "sessions"],
  time: ["time", "times"],
  validRow: ["valid row", "valid rows"],
  vote: ["vote", "votes"],
  voter: ["voter", "voters"],
  word: ["word", "words"],
} as const;

const NONE = "–";

export const formatMs = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
};

export const formatCount = (value: number): string => value.toLocaleString("en-US");

/** Bytes in the largest unit that fits. */
export const formatBytes = (bytes: number): string => {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
};

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

/** A sum of micro-dollars, part of which may have no price. */
export const formatSpent = (micros: number, unpriced: boolean): string =>
  unpriced ? (micros > 0 ? `at least ${formatCost(micros)}` : "no price") : formatCost(micros);

/** Dollars with two digits behind the point, or three where the third one counts. */
export const formatPrice = (perMillion: number): string =>
  Number.isInteger(perMillion)
    ? `$${perMillion.toLocaleString("en-US")}`
    : `$${perMillion.toFixed(3).replace(/0$/, "")}`;

/** Dollars of a mixed price: two digits behind the point, three where it is tiny, so that they stand in line. */
export const formatBlend = (perMillion: number): string =>
  `$${perMillion.toFixed(perMillion > 0 && perMillion < 0.1 ? 3 : 2)}`;

export const formatContext = (tokens: number | null): string => {
  if (tokens === null) return NONE;
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
};

export const formatSigned = (value: number): string => {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${Math.abs(rounded)}` : "±0";
};

/** A share from 0 to 1 as whole per cent; null where nothing was counted. */
export const formatPercent = (share: number | null | undefined): string =>
  share === null || share === undefined ? NONE : `${Math.round(share * 100)}%`;

/** A chance: never rounded up to certainty. */
export const formatChance = (chance: number): string => {
  if (chance > 0.99)
    return chance >= 0.9995 ? "over 99.9%" : `${(Math.floor(chance * 1000) / 10).toFixed(1)}%`;
  if (chance < 0.01) return "under 1%";
  return `${Math.round(chance * 100)}%`;
};

/** A guess at a number, with two digits that mean something: 1,940 is about 1,900. */
export const formatAbout = (value: number): string => {
  const step = value < 100 ? 1 : 10 ** (Math.floor(Math.log10(value)) - 1);
  return formatCount(Math.round(value / step) * step);
};

export const formatRating = (points: number | null | undefined): string =>
  points === null || points === undefined ? NONE : String(Math.round(points));

/** How many times as much: "5.1×", "12×". */
export const formatFactor = (ratio: number): string =>
  `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×`;

/** Beyond it an interval says only that nothing is known yet. */
const WIDEST_MARGIN = 1000;

/** Half the width of an interval, as "± 7" or "± 1000+". */
export const formatMargin = (lower: number | null, upper: number | null): string => {
  if (lower === null || upper === null) return NONE;
  const half = Math.max(1, Math.round((upper - lower) / 2));
  return half > WIDEST_MARGIN ? `± ${WIDEST_MARGIN}+` : `± ${half}`;
};

/** "1 vote", "2,345 votes". */
export const counted = (number: number, noun: keyof typeof NOUNS): string =>
  `${formatCount(number)} ${NOUNS[noun][number === 1 ? 0 : 1]}`;

/** "fact-checker" → "Fact checker" */
export const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, " ");
