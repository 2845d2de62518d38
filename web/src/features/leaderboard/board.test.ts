import { expect, test } from "vitest";
import type { LeaderboardLine } from "@/api/standings-types";
import { arrangeLines, choicesOf, priceOf } from "@/features/leaderboard/arrange-lines";
import { axisGround } from "@/features/leaderboard/board-axis";
import { countFilters, nextSort, readBoardSearch, whatIsThere } from "@/features/leaderboard/board-search";
import { rankText } from "@/features/leaderboard/rank-text";
import { scaleFrom } from "@/lib/scale";

function line(id: string, more: Partial<LeaderboardLine> & { license?: string; local?: boolean } = {}) {
  const { license = "MIT", local = false, ...rest } = more;
  return {
    model: {
      id,
      name: id.toUpperCase(),
      organization: `${id} labs`,
      family: id,
      license,
      local,
      provider: "p",
    },
    rating: 1000,
    rank_ub: 1,
    votes: 10,
    win_rate: 0.5,
    price: null,
    ttft_p50_ms: null,
    ...rest,
  } as LeaderboardLine;
}

const ids = (lines: LeaderboardLine[]) => lines.map((each) => each.model.id);

test("lines of one rank stand by rating", () => {
  const lines = [
    line("a", { rating: 990 }),
    line("b", { rating: 1010 }),
    line("c", { rank_ub: 3, rating: 900 }),
  ];
  expect(ids(arrangeLines(lines, {}))).toEqual(["b", "a", "c"]);
});

test("lines without a value come last, whichever way the column is sorted", () => {
  const lines = [line("a"), line("b", { price: 3 }), line("c", { price: 1 })];
  expect(ids(arrangeLines(lines, { sort_by: "price" }))).toEqual(["c", "b", "a"]);
  expect(ids(arrangeLines(lines, { sort_by: "price", order: "desc" }))).toEqual(["b", "c", "a"]);
});

test("figures are sorted downwards at first, names upwards", () => {
  const lines = [line("a", { votes: 5 }), line("b", { votes: 50 })];
  expect(ids(arrangeLines(lines, { sort_by: "votes" }))).toEqual(["b", "a"]);
  expect(ids(arrangeLines(lines, { sort_by: "name" }))).toEqual(["a", "b"]);
});

test("every word of a search must fit, and filters must fit exactly", () => {
  const lines = [line("ada", { license: "MIT" }), line("bob", { license: "Apache 2.0", local: true })];
  expect(ids(arrangeLines(lines, { search: "labs ADA" }))).toEqual(["ada"]);
  expect(ids(arrangeLines(lines, { license: "Apache 2.0" }))).toEqual(["bob"]);
  expect(ids(arrangeLines(lines, { local: false }))).toEqual(["ada"]);
  expect(choicesOf(lines, (each) => each.model.license)).toEqual(["Apache 2.0", "MIT"]);
});

test("a head is clicked: its own order, the other one, and back to the address without either", () => {
  const first = nextSort({}, "votes");
  expect(first).toEqual({ sort_by: "votes", order: undefined });
  expect(nextSort(first, "votes")).toEqual({ sort_by: "votes", order: "asc" });
  expect(nextSort({ sort_by: "votes", order: "asc" }, "votes")).toEqual(first);
  expect(nextSort(first, "rank")).toEqual({ sort_by: undefined, order: undefined });
});

test("an address is read leniently, and what is usual does not stand in it", () => {
  const search = readBoardSearch({
    view: "table",
    method: "elo",
    sort_by: "nonsense",
    local: "false",
    min_votes: 5,
    license: 4,
    include_uncounted: true,
  });
  expect(search).toMatchObject({ method: "elo", local: false, license: "4", include_uncounted: true });
  expect([search.view, search.sort_by, search.min_votes]).toEqual([undefined, undefined, undefined]);
  expect(countFilters(search)).toBe(2);
});

test("a rank is a range where intervals overlap", () => {
  expect(rankText({ rank_ub: 1, rank_lb: 3 })).toBe("1–3");
  expect(rankText({ rank_ub: 4, rank_lb: 4 })).toBe("4");
});

test("what nobody knows is no choice and comes last, and a local model without a price is free", () => {
  const lines = [line("ada", { license: "" }), line("bob", { license: "MIT", local: true })];
  expect(choicesOf(lines, (each) => each.model.license)).toEqual(["MIT"]);
  expect(ids(arrangeLines(lines, { sort_by: "license", order: "desc" }))).toEqual(["bob", "ada"]);
  expect(lines.map(priceOf)).toEqual([null, 0]);
});

test("the leader's interval is behind every row, at its place on the axis", () => {
  const ground = (leader?: LeaderboardLine) => String(axisGround(scaleFrom(900, 1100), leader).background);
  const leader = line("ada", { ci_lower: 1000, ci_upper: 1100 });
  expect(ground(leader)).toContain("100.00% 0 / 50.00% 100%");
  expect(ground(leader).split("1px").length).toBe(ground().split("1px").length);
  expect(ground(line("bob", { ci_lower: null, ci_upper: null }))).toBe(ground());
});

test("the table of a workspace has one method and the views made of its lines, and is nowhere else", () => {
  const search = readBoardSearch({
    votes: "workspace",
    view: "history",
    method: "elo",
    include_uncounted: true,
    search: "ada",
  });
  const shown = whatIsThere(search, true);
  expect(shown).toMatchObject({ votes: "workspace", search: "ada" });
  expect([shown.view, shown.method, shown.include_uncounted]).toEqual([undefined, undefined, undefined]);
  expect(whatIsThere({ ...search, view: "confidence" }, true).view).toBe("confidence");
  expect(whatIsThere(search, false)).toEqual({ ...search, votes: undefined });
  expect(readBoardSearch({ votes: "mine" }).votes).toBeUndefined();
});
