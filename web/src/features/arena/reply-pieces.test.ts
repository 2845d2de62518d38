import { describe, expect, test } from "vitest";
import type { ReplyPart } from "@/api/types";
import { piecesOf } from "@/features/arena/reply-pieces";

const part = (offset: number, name: string): ReplyPart => ({
  offset,
  seed: null,
  attached: {
    sha256: name,
    name,
    media_type: "image/png",
    size: 1,
    tokens: 1,
    text_sha256: null,
    width: 4,
    height: 3,
    pages: null,
    encoding: null,
  },
});
const shown = (text: string, ...parts: ReplyPart[]) =>
  piecesOf({ text, parts }).map((piece) => [piece.text, piece.files.map(({ name }) => name).join(" ")]);

describe("the pieces of a reply", () => {
  test("have each picture after the text before it, counted in code points", () => {
    expect(shown("👩‍🎨 a cat.", part(0, "one"), part(3, "two"), part(3, "three"))).toEqual([
      ["", "one"],
      ["👩‍🎨", "two three"],
      [" a cat.", ""],
    ]);
  });

  test("end with a picture where no text follows, also one that is further on than the text so far", () => {
    expect(shown("Look:", part(5, "one"))).toEqual([["Look:", "one"]]);
    expect(shown("Lo", part(5, "one"))).toEqual([["Lo", "one"]]);
  });

  test("are the text alone without any", () => {
    expect(shown("Hi")).toEqual([["Hi", ""]]);
  });
});
