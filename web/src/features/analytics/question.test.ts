import { expect, test } from "vitest";
import type { UsageTable } from "@/api/usage";
import { rowsOf, withWhere } from "@/features/analytics/question";

test("a plug-in’s conditions join those of the page, which count for more", () => {
  expect(withWhere({ measure: "cost" }, { mode: ["chat", "team"] }).where).toBe("mode:chat,mode:team");
  const filtered = withWhere({ measure: "cost", where: "mode:battle" }, { mode: ["chat"], model: ["ada"] });
  expect(filtered.where).toBe("mode:battle,model:ada");
  expect(withWhere({ measure: "cost" }, {})).toEqual({ measure: "cost" });
});

test("rows for a chart have names for ids, and money in dollars", () => {
  const table = {
    by: ["day", "model", "person"],
    values: [{ name: "cost_micros", title: "Cost", unit: "micros" }],
    rows: [["2026-11-28", "ada", "p1", 2_500_000]],
    names: { p1: "Ana" },
  } as unknown as UsageTable;
  expect(rowsOf(table, new Map([["ada", "Ada"]]))).toEqual([
    { day: "2026-11-28", model: "Ada", person: "Ana", cost_micros: 2_500_000, cost_usd: 2.5 },
  ]);
});
