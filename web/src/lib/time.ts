/** Times for people: relative, and groups of days. */

import { STRINGS } from "@/lib/strings";

const DAY_MS = 86_400_000;

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** The group of a time, by calendar days in the reader's own time zone. */
export function dayGroup(iso: string, now = new Date()): string {
  const days = Math.round((startOfDay(now) - startOfDay(new Date(iso))) / DAY_MS);
  if (days <= 0) return STRINGS.today;
  if (days === 1) return STRINGS.yesterday;
  return days < 8 ? STRINGS.lastWeek : STRINGS.older;
}

export const exactTime = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** How long ago, in the largest unit that fits: "just now", "12 s ago", "3 h ago", "5 days ago"; then the date. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - new Date(iso).getTime()) / 1000));
  if (seconds < 3) return STRINGS.justNow;
  if (seconds < 60) return STRINGS.secondsAgo(seconds);
  if (seconds < 3600) return STRINGS.minutesAgo(Math.floor(seconds / 60));
  if (seconds < 86_400) return STRINGS.hoursAgo(Math.floor(seconds / 3600));
  const days = Math.floor(seconds / 86_400);
  if (days < 31) return days === 1 ? STRINGS.oneDayAgo : STRINGS.daysAgo(days);
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: "medium" });
}
