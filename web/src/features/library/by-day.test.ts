import { expect, test } from "vitest";
import type { AssetCard } from "@/api/library";
import { byDay } from "@/features/library/by-day";

const DAY_MS = 86_400_000;

const made = (...daysAgo: number[]) => ({
  assets: daysAgo.map(
    (days) =>
      ({ id: `${days}`, created_at: new Date(Date.now() - days * DAY_MS).toISOString() }) as AssetCard,
  ),
});

test("pages of one day or of several are put together by days, whichever end of time comes first", () => {
  const pages = [made(0, 0), made(0, 1, 4), made(), made(40, 50)];
  const groups = byDay(pages).map(([group, assets]) => [group, assets.map(({ id }) => id)]);
  const newest = [
    ["Today", ["0", "0", "0"]],
    ["Yesterday", ["1"]],
    ["Last 7 days", ["4"]],
    ["Older", ["40", "50"]],
  ];
  expect(groups).toEqual(newest);
  const oldest = byDay([made(50, 40), made(4, 1, 0)]);
  expect(oldest.map(([group]) => group)).toEqual(["Older", "Last 7 days", "Yesterday", "Today"]);
});
