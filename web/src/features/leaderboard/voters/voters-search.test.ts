import { expect, test } from "vitest";
import { nextOrder, readVotersSearch } from "@/features/leaderboard/voters/voters-search";

test("an address says the order and the page; what is usual or unknown is left out", () => {
  expect(readVotersSearch({ by: "fast", rising: true, page: 3 })).toEqual({
    by: "fast",
    rising: true,
    page: 3,
  });
  expect(readVotersSearch({ by: "votes", rising: "no", page: 1 })).toEqual({});
  expect(readVotersSearch({ by: "name", order: "up", page: "x" })).toEqual({});
});

test("a column sorts downwards, then upwards, and begins at the first page", () => {
  expect(nextOrder({ page: 4 }, "prompts")).toEqual({ by: "prompts" });
  expect(nextOrder({ by: "prompts", page: 2 }, "prompts")).toEqual({ by: "prompts", rising: true });
  expect(nextOrder({ by: "prompts", rising: true }, "prompts")).toEqual({ by: "prompts" });
  expect(nextOrder({}, "votes")).toEqual({ rising: true });
});
