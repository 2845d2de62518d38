/** Axes: where a value stands, and at which round values the ticks do. */

export interface Scale {
  min: number;
  max: number;
  /** The place of a value on the axis, from 0 to 1. */
  at: (value: number) => number;
}

/** A linear axis over the given values, a little wider than they are. Never of no width. */
export function scaleOver(values: Iterable<number>, padding = 0.04): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) [low, high] = [0, 1];
  const margin = Math.max((high - low) * padding, high === low ? 1 : 0);
  return scaleFrom(low - margin, high + margin);
}

export const scaleFrom = (min: number, max: number): Scale => ({
  min,
  max,
  at: (value) => Math.min(1, Math.max(0, (value - min) / (max - min))),
});

/** Round values within an axis, about `wanted` of them: steps of 1, 2 or 5 times a power of ten. */
export function ticks({ min, max }: Scale, wanted = 5): number[] {
  const raw = (max - min) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((each) => each * power >= raw * 0.999) ?? 10) * power;
  const found: number[] = [];
  for (let index = Math.ceil(min / step); index * step <= max + step * 1e-9; index += 1) {
    found.push(Number((index * step).toPrecision(12)));
  }
  return found;
}

const HOUR = 3_600_000;
const TIME_STEPS = [1, 3, 6, 12, 24, 48, 96, 168, 336, 720, 1440, 2880, 4320, 8760].map(
  (hours) => hours * HOUR,
);

/** Ticks of a time axis (milliseconds), at whole hours or days of the reader's time zone. */
export function timeTicks({ min, max }: Scale, wanted = 5): number[] {
  const raw = (max - min) / Math.max(1, wanted);
  const step = TIME_STEPS.find((each) => each >= raw) ?? TIME_STEPS.at(-1) ?? HOUR;
  const first = new Date(min);
  const start = step < 24 * HOUR ? first.setMinutes(0, 0, 0) : first.setHours(0, 0, 0, 0);
  const found: number[] = [];
  for (let at = start; at <= max; at += step) if (at >= min) found.push(at);
  return found;
}
