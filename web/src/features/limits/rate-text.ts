import type { RateRule } from "@/api/limits";
import { formatCount } from "@/lib/format";

/** A rate in words: "60 questions a minute, 4 calls at once". */
export function rateText({ per_minute, at_once }: RateRule): string {
  const parts = [
    per_minute !== null &&
      `${formatCount(per_minute)} ${per_minute === 1 ? "question" : "questions"} a minute`,
    at_once !== null && `${formatCount(at_once)} ${at_once === 1 ? "call" : "calls"} at once`,
  ].filter(Boolean);
  return parts.join(", ") || "No limit on questions a minute or calls at once.";
}
