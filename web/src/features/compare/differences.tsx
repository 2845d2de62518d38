/** Two answers word by word: what only one of them says is marked. */

import { useMemo, useState } from "react";
import type { Contender } from "@/features/compare/turn-facts";
import { type Piece, wordDiff } from "@/features/compare/word-diff";
import { Select } from "@/ui/select";

export function Differences({ contenders }: { contenders: readonly Contender[] }) {
  const [seats, setSeats] = useState([contenders[0]?.seat, contenders[1]?.seat]);
  const [left = "", right = ""] = seats.map(
    (name) => contenders.find(({ seat }) => seat === name)?.reply?.text,
  );
  const pieces = useMemo(() => wordDiff(left, right), [left, right]);
  const sides = [
    { label: "First answer", text: left },
    { label: "Second answer", text: right },
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-5 pt-2">
      <p className="text-sm text-ink-3">
        {pieces === null
          ? "These answers are too long to compare word by word."
          : left === right
            ? "Both answers are the same."
            : "Words that only one answer has are marked."}
      </p>
      <div
        role="group"
        aria-label="Differences"
        tabIndex={0}
        className="focus-inset grid min-h-0 flex-1 gap-4 overflow-y-auto rounded-sm sm:grid-cols-2"
      >
        {sides.map(({ label, text }, side) => (
          <div key={label} role="group" aria-label={label} className="flex min-w-0 flex-col gap-2">
            <Select
              aria-label={label}
              className="font-semibold"
              value={seats[side]}
              options={contenders.map(({ seat, name }) => ({ value: seat, label: name }))}
              onChange={(chosen) => setSeats((now) => now.map((seat, at) => (at === side ? chosen : seat)))}
            />
            <p className="m-0 text-sm leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
              {pieces?.[side]?.map((piece) => <Marked key={piece.at} {...piece} />) ?? text}
            </p>
          </div>
        ))}
      </div>
    </div>
  );
}

const Marked = ({ text, own }: Piece) =>
  own ? (
    <mark className="rounded-xs bg-[color-mix(in_oklab,var(--accent)_16%,transparent)] text-ink underline decoration-accent decoration-dotted underline-offset-2">
      {text}
    </mark>
  ) : (
    text
  );
