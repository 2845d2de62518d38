import { expect, it } from "vitest";
import { merged } from "@/features/arena/tab-storage";

it("keeps what another tab wrote meanwhile, and what it removed stays removed", () => {
  const base = { drafts: { one: "a", two: "b", gone: "c" }, mode: "chat" };
  const mine = { drafts: { one: "a and more", two: "b", gone: "c" }, mode: "chat" };
  const stored = { drafts: { one: "a", two: "other", three: "new" }, mode: "battle" };
  expect(merged(base, mine, stored)).toEqual({
    drafts: { one: "a and more", two: "other", three: "new" },
    mode: "battle",
  });
});

it("removes what this tab removed, and nothing else", () => {
  const base = { drafts: { one: "a", two: "b" } };
  expect(merged(base, { drafts: { two: "b" } }, { drafts: { one: "a", two: "c" } })).toEqual({
    drafts: { two: "c" },
  });
});

it("takes an entry as a whole: two line-ups are never mixed", () => {
  const base = { setups: { compare: { places: [1], brief: { order: "x" } } } };
  const mine = { setups: { compare: { places: [2], brief: { order: "x" } } } };
  const stored = { setups: { compare: { places: [1], brief: { order: "y" } } } };
  expect(merged(base, mine, stored)).toEqual(mine);
});

it("writes everything where nothing is stored", () => {
  expect(merged({}, { drafts: { new: "a" }, mode: "chat" }, {})).toEqual({
    drafts: { new: "a" },
    mode: "chat",
  });
});
