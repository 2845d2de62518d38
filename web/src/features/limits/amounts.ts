/** Amounts of a limit in its unit, and the time until it resets. */
import type { Limit } from "@/api/limits";
import { numberIn } from "@/lib/number-in";

type Meter = Limit["meter"];

export const METERS: Record<Meter, string> = {
  money: "money",
  tokens: "tokens",
  requests: "requests",
  images: "pictures",
};

const MICROS = 1e6;

/** "$4.10", "1.94 M", "26": the unit of what is no money stands beside the limit's name. */
export function amountText(meter: Meter, amount: number): string {
  if (meter === "money") {
    const dollars = amount / MICROS;
    const digits = dollars >= 1e5 ? 0 : dollars > 0 && dollars < 0.01 ? 4 : 2;
    return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
  }
  if (amount >= 1e9) return `${(amount / 1e9).toFixed(2)} B`;
  return amount >= 1e6 ? `${(amount / 1e6).toFixed(2)} M` : amount.toLocaleString("en-US");
}

/** An amount with its unit, in a sentence: "$4.10", "26 pictures". */
export function amountWords(meter: Meter, amount: number): string {
  if (meter === "money") return amountText(meter, amount);
  return `${amountText(meter, amount)} ${amount === 1 ? METERS[meter].slice(0, -1) : METERS[meter]}`;
}

/** A typed amount in the limit's unit; null if it is none. */
export function amountIn(meter: Meter, written: string): number | null {
  const value = numberIn(written.replace(/^\s*\$/, ""));
  if (value === null || !Number.isFinite(value) || value < 0) return null;
  const amount = meter === "money" ? Math.round(value * MICROS) : value;
  return Number.isInteger(amount) && amount <= 1e15 ? amount : null;
}

/** An amount as it is typed. */
export const writtenAmount = (meter: Meter, amount: number): string =>
  String(meter === "money" ? amount / MICROS : amount);

/** "8 h 12 min", "3 d 8 h". */
export function waitText(until: string, now: number): string {
  const minutes = Math.max(1, Math.round((new Date(until).getTime() - now) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes % 60} min`;
}

export interface Widths {
  spent: number;
  held: number;
  /** What a raise adds, beyond the cap without it. */
  raised: number;
}

/** The parts of a limit's bar, in per cent of its width. */
export function widthsOf({ cap, spent, held, raised_by }: Limit): Widths {
  if (cap <= 0) return { spent: 100, held: 0, raised: 0 };
  const used = Math.min(100, (100 * spent) / cap);
  return {
    spent: used,
    held: Math.min(100 - used, (100 * held) / cap),
    raised: (100 * (raised_by ?? 0)) / cap,
  };
}
