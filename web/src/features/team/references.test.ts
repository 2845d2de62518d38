import { expect, it } from "vitest";
import { linkReferences, withoutClosing } from "@/features/team/references";

const known = new Set(["1.1", "1.2", "12.3"]);
const link = (text: string) => linkReferences(text, known, "q");

it("links what is known, alone or in a list, and leaves the rest as it was written", () => {
  expect(link("As [1.2 Critic] says.")).toBe("As [1.2 Critic](#q-1.2) says.");
  expect(link("See [1.1, 1.2 Critic; 9.9 Nobody].")).toBe(
    "See [1.1](#q-1.1), [1.2 Critic](#q-1.2); 9.9 Nobody.",
  );
  expect(link("I accept [1.1][1.2]: yes.")).toBe("I accept [1.1](#q-1.1)[1.2](#q-1.2): yes.");
  expect(link("[1.1] first\n[1.2] then")).toBe("[1.1](#q-1.1) first\n[1.2](#q-1.2) then");
  expect(link("(12.3 Fact checker)")).toBe("[12.3 Fact checker](#q-12.3)");
  expect(link("[9.9 Nobody] grew by 1.2 per cent [note]")).toBe("[9.9 Nobody] grew by 1.2 per cent [note]");
});

it("leaves code, links, versions and amounts alone", () => {
  for (const text of [
    "`a[1.2]`",
    "```\nx[1.1]\n```",
    "~~~\n[1.1]",
    "[1.2 Critic](https://a.b)",
    "[1.1]: https://a.b",
    "[version 1.2.4]",
    "[11.2]",
  ])
    expect(link(text)).toBe(text);
});

it("is the text itself where nothing was said yet", () => {
  expect(linkReferences("[1.1 Critic]", new Set(), "q")).toBe("[1.1 Critic]");
});

it("hides the closing lines of a statement while they are written, and nothing that is said after them", () => {
  expect(withoutClosing("Yes.\n\nAnswers: 1.2\n**Position:** Y")).toBe("Yes.");
  expect(withoutClosing("Yes.\nPosition: here\nand more.")).toBe("Yes.\nPosition: here\nand more.");
});
