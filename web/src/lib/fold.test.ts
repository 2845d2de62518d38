import { describe, expect, it } from "vitest";
import { fold, patternOf } from "@/lib/fold";

function found(text: string, words: string): string[] {
  const folded = fold(text);
  return [...folded.text.matchAll(patternOf(words))].map((match) => {
    const { start, end } = folded.placeOf({ start: match.index, end: match.index + match[0].length });
    return text.slice(start, end);
  });
}

describe("words are found", () => {
  it.each([
    ["In der Straße 5", "strasse", "Straße"],
    ["In der STRASSE 5", "straße", "STRASSE"],
    ["weiß, Straße: links", "straße: l", "Straße: l"],
    ["an ﬁne eﬀort", "fine effort", "ﬁne eﬀort"],
    ["nach İstanbul und Izmir", "istanbul und", "İstanbul und"],
    ["Cafe\u0301 au lait", "café au", "Cafe\u0301 au"],
    ["ΟΔΟΣ και οδός", "οδος", "ΟΔΟΣ"],
    ["𝐛old 😀 text", "bold 😀", "𝐛old 😀"],
    ["the\n red \nfox", "the red fox", "the\n red \nfox"],
    ["un\nbelievable", "unbelievable", "un\nbelievable"],
    ["a (b) c*", "(B) C*", "(b) c*"],
  ])("%j: %j", (text, words, expected) => {
    expect(found(text, words)).toEqual([expected]);
  });

  it("each of them, after letters that fold to more", () => {
    expect(found("ßßß ab ßß AB", "ab")).toEqual(["ab", "AB"]);
  });

  it("not where a part of a letter matches nothing", () => {
    expect(found("Straße", "strassen")).toEqual([]);
  });
});
