import { expect, test } from "vitest";
import { firstPlace, matching, searched } from "@/features/templates/place";

test("the first place of a template is found", () => {
  expect(firstPlace("Review {{code}} in {{language}}")).toEqual([7, 15]);
  expect(firstPlace("A {{\n}} or {{}} is none")).toBeNull();
});

test("only a slash at the beginning searches", () => {
  expect(searched("/Rev ")).toBe("rev");
  expect(searched("/")).toBe("");
  expect(searched("and/or")).toBeNull();
  expect(searched("/etc\nhosts")).toBeNull();
});

test("names that begin with what is searched come first", () => {
  const templates = [{ name: "Code review" }, { name: "Review" }, { name: "Haiku" }];
  expect(matching(templates, "review").map(({ name }) => name)).toEqual(["Review", "Code review"]);
});
