import { describe, expect, it } from "vitest";
import { alignSentences, findArea } from "@/features/consortium/align-text";

const one = (start: number, end: number, kind: "one" | "all" = "one") => ({ start, end, kind, group: null });
const texts = (answer: string, sentences: ReturnType<typeof one>[], rendered: string) =>
  alignSentences(answer, sentences, rendered).map(({ start, end }) => rendered.slice(start, end));

describe("sentences in rendered text", () => {
  it("are found through marks, lists and line breaks", () => {
    const answer = "Run **both** in [parallel](https://x.y/z).\n\n1. Copy `all` of it.\n2. Then cut over!";
    const rendered = "Run \nboth\n in \nparallel\n.\n\nCopy \nall\n of it.\nThen cut over!\n";
    const at = (text: string) => answer.indexOf(text);
    expect(
      texts(answer, [one(0, at("\n")), one(at("Copy"), at("\n2")), one(at("Then"), answer.length)], rendered),
    ).toEqual(
      ["Run \nboth\n in \nparallel\n.", "Copy \nall\n of it.", "Then cut over!"].map((text, index) =>
        index === 0 ? "Run \nboth\n in \nparallel" : text,
      ),
    );
  });

  it("are found through links that are never closed, one after the other", () => {
    const answer = "[a](b [c](d) and [e](f";
    expect(texts(answer, [one(0, answer.length)], "[a](b c and [e](f")).toEqual(["[a](b c and [e](f"]);
  });

  it("are counted in code points", () => {
    const answer = "🇫🇷 Paris. Not Rome.";
    expect(texts(answer, [one(0, 9), one(10, 19)], answer)).toEqual(["Paris.", "Not Rome."]);
  });

  it("that were rendered to something else are left out, the next ones are found", () => {
    const answer = "$x^2 + 1$ holds. It ends.";
    expect(texts(answer, [one(0, 16), one(17, 25)], "□ holds. It ends.")).toEqual(["It ends."]);
  });
});

describe("an area in the synthesis", () => {
  it("is found by its words, in other forms too", () => {
    const text = "Move tenants in waves, the smallest first.";
    expect(findArea(text, "size of the first wave").map(({ start, end }) => text.slice(start, end))).toEqual([
      "waves",
      "first",
    ]);
  });

  it("that is long is found only where several of its words stand in a row", () => {
    const text = "Make an inventory of everything before anything is moved. Keep calm on the night.";
    const area =
      "Only Member 1 says “Make an inventory of everything before anything is moved.” Does it belong here at night, calmly?";
    expect(findArea(text, area).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Make an inventory of everything before anything is moved",
    ]);
  });
});
