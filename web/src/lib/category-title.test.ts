import { expect, test } from "vitest";
import { categoryTitle } from "@/lib/category-title";

test("a category is called as the server calls it, else by what its id says", () => {
  expect(categoryTitle("maths", [{ id: "maths", title: "Mathematics" }])).toBe("Mathematics");
  expect(categoryTitle("language-de")).toBe("German");
  expect(categoryTitle("creative-writing")).toBe("Creative writing");
});
