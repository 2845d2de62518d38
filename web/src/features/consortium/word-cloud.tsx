/** A member's words, the weightier the larger. A list, ordered for those who hear it. */

import type { Member } from "@/features/consortium/members";
import type { WordCount } from "@/features/consortium/notes";
import { counted } from "@/lib/format";

const SMALLEST = 12;
const LARGEST = 30;
const SHOWN = 28;

/** The weightiest in the middle, the others outwards to both sides: always at the same place. */
const placeOf = (index: number) => (index % 2 === 0 ? index : -index);

export function WordCloud({ member, words }: { member: Member; words: readonly WordCount[] }) {
  if (words.length === 0) return <p className="text-sm text-ink-3">No words.</p>;
  return (
    <ul
      aria-label={`Words of ${member.name}`}
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-0.5 py-1 leading-tight"
    >
      {words.slice(0, SHOWN).map(({ word, count, weight }, index) => (
        <li
          key={word}
          title={counted(count, "time")}
          className="font-medium"
          style={{
            order: placeOf(index),
            fontSize: SMALLEST + (LARGEST - SMALLEST) * weight ** 2.2,
            color: `color-mix(in oklab, ${member.color} ${Math.round(35 + 65 * weight)}%, var(--ink-2))`,
          }}
        >
          {word}
          <span className="sr-only"> {counted(count, "time")}</span>
        </li>
      ))}
    </ul>
  );
}
