import { expect, test } from "vitest";
import { firstPlaceholder, matching, searched } from "@/features/prompts/placeholders";

test("the first place of a prompt is found", () => {
  expect(firstPlaceholder("Review {{code}} in {{language}}")).toEqual([7, 15]);
  expect(firstPlaceholder("A {{\n}} or {{}} is none")).toBeNull();
});

test("only a slash at the beginning searches", () => {
  expect(searched("/Rev ")).toBe("rev");
  expect(searched("/")).toBe("");
  expect(searched("and/or")).toBeNull();
  expect(searched("/etc\nhosts")).toBeNull();
});

test("names that begin with what is searched come first", () => {
  const prompts = [{ name: "Code review" }, { name: "Review" }, { name: "Haiku" }];
  expect(matching(prompts, "review").map(({ name }) => name)).toEqual(["Review", "Code review"]);
});
