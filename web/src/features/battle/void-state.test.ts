import { expect, test } from "vitest";
import type { MatchView, SessionView } from "@/api/types";
import { isRevealedAfter } from "@/features/battle/void-state";

const match = (index: number, status: string) =>
  ({ index, status, blind: status !== "voted" }) as unknown as MatchView;
const session = (...statuses: string[]) =>
  ({
    matches: statuses.map((status, index) => ({ match: match(index, status), turns: [] })),
  }) as unknown as SessionView;

test.each([
  ["nothing follows", ["void"], false],
  ["the next battle is blind", ["void", "open"], false],
  ["the next battle was voted on", ["void", "voted"], true],
  ["one after it is blind again", ["void", "voted", "open"], false],
  ["an earlier battle was voted on", ["voted", "void"], false],
])("where %s, a void battle names who failed: %s %s", (_, statuses, named) => {
  const view = session(...statuses);
  expect(isRevealedAfter(view, match(statuses.indexOf("void"), "void"))).toBe(named);
});
