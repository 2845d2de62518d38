import { describe, expect, it } from "vitest";
import { widthsOf } from "@/features/lab/column-widths";

describe("widths of columns", () => {
  it("gives a long text most of the room, and a short value little", () => {
    const short = ["words", "30", "40"];
    const long = [
      "text",
      "It rained all day in the hills, and the road was closed until the evening.",
      "Sun.",
    ];
    expect(widthsOf([short, [...long, long[1] as string]])).toEqual({
      tracks: "minmax(72px, 5fr) minmax(240px, 74fr)",
      least: 312,
    });
  });

  it("is not led by one text in many", () => {
    const texts = ["text", ...Array(20).fill("short"), "x".repeat(5000)];
    expect(widthsOf([texts]).tracks).toBe("minmax(72px, 5fr)");
  });

  it("never hides a name behind short values", () => {
    expect(widthsOf([["a long name of a variable", "1"]]).tracks).toBe("minmax(203px, 25fr)");
  });

  it("has no columns without any", () => {
    expect(widthsOf([])).toEqual({ tracks: "", least: 0 });
  });
});
