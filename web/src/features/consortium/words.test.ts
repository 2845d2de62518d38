import { expect, it } from "vitest";
import { askable, nameMembers, plainSentence } from "@/features/consortium/words";
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
