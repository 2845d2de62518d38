import { expect, test } from "vitest";
import { linesOf, nameWidth } from "@/components/charts/label-lines";
import { alongOf, layOut, nearestAt, pointsAlong, spread, valueAt } from "@/components/charts/layout";

const HOUR = 3_600_000;
const line = {
  id: "a",
  label: "A",
  color: "red",
  points: [
    { x: 0, y: 1000 },
    { x: 2 * HOUR, y: 1040 },
    { x: 10 * HOUR, y: 1020 },
  ],
};

test("a line keeps its value until its next point, and has none before its first", () => {
  expect([-1, 0, HOUR, 2 * HOUR, 99 * HOUR].map((time) => valueAt(line, time))).toEqual([
    null,
    1000,
    1000,
    1040,
    1020,
  ]);
});

test("the nearest time is one that a line has", () => {
  expect(nearestAt([line], 7 * HOUR)).toBe(10 * HOUR);
  expect(nearestAt([], 7)).toBeNull();
});

test("names at the ends are moved apart, in their order and within bounds", () => {
  const places = spread([50, 51, 52, 290], 14, 8, 300);
  expect(places).toEqual([50, 64, 78, 290]);
  expect(spread([298, 299, 300], 14, 8, 300)).toEqual([272, 286, 300]);
});

test("a chart of one point or none has a frame without nonsense", () => {
  for (const series of [[], [{ ...line, points: [{ x: 5, y: 1000 }] }]]) {
    const frame = layOut(series, 600, 300, 20);
    expect([frame.x(5), frame.y(1000), ...frame.yTicks].every(Number.isFinite)).toBe(true);
  }
});

test("a line of one point stands at the right, where its name is", () => {
  const frame = layOut([{ ...line, points: [{ x: 5 * HOUR, y: 1000 }] }], 600, 300, 20);
  expect(frame.x(5 * HOUR)).toBe(frame.right);
});

test("higher values stand higher, later ones further right", () => {
  const frame = layOut([line], 600, 300, 20);
  expect(frame.y(1040)).toBeLessThan(frame.y(1000));
  expect(frame.x(10 * HOUR)).toBe(frame.right);
  expect(frame.timeAt(frame.x(2 * HOUR))).toBeCloseTo(2 * HOUR);
});

test("times of several years are told apart", () => {
  const at = (year: number) => Date.UTC(year, 5, 15);
  const points = [2023, 2026].map((year) => ({ x: at(year), y: 1000 }));
  const { timeLabel } = layOut([{ ...line, points }], 600, 300, 20);
  expect(timeLabel(at(2024))).not.toBe(timeLabel(at(2025)));
  const short = layOut(
    [
      {
        ...line,
        points: [
          { x: at(2024), y: 1 },
          { x: at(2024) + 96 * HOUR, y: 2 },
        ],
      },
    ],
    600,
    300,
    20,
  );
  expect(short.timeLabel(at(2024))).not.toContain("2024");
});

const change = (day: number, votes: number) => ({
  at: new Date(day * 24 * HOUR).toISOString(),
  rating: 1000 + votes,
  votes,
});

test("the first three days go by votes, later ones by the clock", () => {
  expect(alongOf([[change(0, 3)], [change(2.9, 8)]])).toBe("votes");
  expect(alongOf([[change(0, 3), change(3, 8)]])).toBe("time");
  expect(alongOf([[change(0, 3)], []])).toBe("votes");
});

test("by votes the axis begins at none, and a model stands at its own", () => {
  const series = [{ ...line, points: pointsAlong("votes", [change(0, 40), change(1, 100)]) }];
  const frame = layOut(series, 600, 300, 20, "votes");
  expect(frame.x(0)).toBe(frame.left);
  expect(frame.x(100)).toBe(frame.right);
  expect(frame.timeLabel(1000)).toBe("1,000");
  expect(pointsAlong("time", [change(1, 40)])).toEqual([{ x: 24 * HOUR, y: 1040 }]);
});

test("a name beside its line is whole, in as many lines as it needs", () => {
  const name = "extraordinarily-long-winded-reasoner-405b-instruct of the owner";
  const lines = linesOf(name, 120);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join("").replaceAll(" ", "")).toBe(name.replaceAll(" ", ""));
  expect(linesOf("gpt-6", 120)).toEqual(["gpt-6"]);
  expect(linesOf("a".repeat(40), 120).join("")).toBe("a".repeat(40));
  expect(nameWidth(["x".repeat(400)], 900)).toBe(300);
});
