import { expect, it } from "vitest";
import type { VerdictNote } from "@/features/consortium/notes";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { askable, formatBeside, nameMembers, plainSentence, whyOf } from "@/features/consortium/words";
import { choiceHelp } from "@/features/lineup/schema-field";

const members = [
  { seat: "a", name: "Ada", color: "", role: null },
  { seat: "b", name: "Bob", color: "", role: null },
];

it("calls members by name, in the order in which the arbiter saw them", () => {
  expect(nameMembers("Member 1 is sure, Member 2 is not; Member 7 is silent.", ["b", "a"], members)).toBe(
    "Bob is sure, Ada is not; Member 7 is silent.",
  );
});

it("asks an open point without the arbiter's numbers", () => {
  expect(askable("Which of the two: “x” (Member 1) or “y” (Member 12)?")).toBe(
    "Which of the two: “x” or “y”?",
  );
});

it("prints a sentence without its Markdown signs", () => {
  expect(plainSentence("- (17 ÷ 100) × 2340 = **397.8**.")).toBe("(17 ÷ 100) × 2340 = 397.8.");
  expect(plainSentence("## Use `git add` and __wait__")).toBe("Use git add and wait");
  expect(plainSentence("2 * 3 is 6, snake_case stays, - so does this")).toBe(
    "2 * 3 is 6, snake_case stays, - so does this",
  );
});

it("explains only the choice that is made", () => {
  const text = "default: every member answers. role: each has a part. council: they rank each other first.";
  expect(choiceHelp(text, "role")).toBe("Each has a part.");
  expect(choiceHelp(text, "council")).toBe("They rank each other first.");
});

const verdict = (more: Partial<VerdictNote>): VerdictNote =>
  ({ parsed: true, settled: false, needs_iteration: false, confidence: 0.9, ...more }) as VerdictNote;

function why(more: Partial<VerdictNote>, { number = 1, running = true, cut = false, least = 1 } = {}) {
  const iteration = { number, judgement: { verdict: verdict(more) } } as Iteration;
  return whyOf(iteration, {
    iterations: [iteration],
    threshold: 0.8,
    most: 3,
    least,
    running,
    cut,
  } as unknown as ConsortiumView);
}

it("says why a consortium goes on", () => {
  expect(why({ confidence: 0.84, needs_iteration: true })).toBe(
    "Next round: confidence 0.84 meets the threshold of 0.80, but the arbiter asked for another round.",
  );
  expect(why({ confidence: 0.58, needs_iteration: true })).toBe(
    "Next round: confidence 0.58 is below the threshold of 0.80, and the arbiter asked for another round.",
  );
  expect(why({ confidence: null })).toBe("Next round: the arbiter gave no confidence.");
  expect(why({ needs_iteration: null })).toMatch(/did not say whether it needs another round/);
  expect(why({}, { least: 2 })).toMatch(/but the minimum is 2 rounds/);
  expect(why({ parsed: false })).toMatch(/has an invalid format/);
});

it("says why a consortium ends", () => {
  expect(why({ settled: true, confidence: 0.91 })).toBe(
    "Settled: confidence 0.91 meets the threshold of 0.80, and the arbiter did not ask for another round.",
  );
  expect(why({ confidence: 0.5 }, { number: 3, running: false })).toBe(
    "Not settled: confidence 0.50 is below the threshold of 0.80. Round 3 was the last.",
  );
  expect(why({ confidence: 0.5 }, { running: false, cut: true })).toMatch(/^Stopped early, not settled/);
});

it("shows a confidence that misses the threshold by less than rounding as another figure", () => {
  expect(formatBeside(0.7996, 0.8)).toBe("0.7996");
  expect(formatBeside(0.8, 0.8)).toBe("0.80");
  expect(why({ confidence: 0.799 })).toMatch(/confidence 0.799 is below the threshold of 0.80/);
});
