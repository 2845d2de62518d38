/** Times for people: relative, and groups of days. */

const DAY_MS = 86_400_000;

export type DayGroup = "Today" | "Yesterday" | "Last 7 days" | "Older";

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** The group of a time, by calendar days in the reader's own time zone. */
export function dayGroup(iso: string, now = new Date()): DayGroup {
  const days = Math.round((startOfDay(now) - startOfDay(new Date(iso))) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 8 ? "Last 7 days" : "Older";
}

export const exactTime = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
