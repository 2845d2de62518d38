/** How the score is made: three ways, each explained in a line. */

import { Link } from "@tanstack/react-router";
import type { Method } from "@/api/standings-types";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const METHODS: { id: Method; title: string; text: string }[] = [
  {
    id: "bradley-terry",
    title: "Bradley-Terry",
    text: "Fits all votes at once, with intervals. The mean is 1000.",
  },
  {
    id: "style-control",
    title: "Style control",
    text: "Bradley-Terry, adjusted for length, headings, lists and bold. The mean is 1000.",
  },
  {
    id: "elo",
    title: "Elo",
    text: "Updated after each vote, without intervals. Starts at 1500, so don’t compare it with the score.",
  },
];

export const methodTitle = (method: Method) => METHODS.find((each) => each.id === method)?.title ?? method;

export function MethodSwitch({ value, onChange }: { value: Method; onChange: (method: Method) => void }) {
  return (
    <div>
      <Labelled label="Score" {...hintOf(value)}>
        {(id, hintId) => (
          <Select
            id={id}
            aria-describedby={hintId}
            value={value}
            options={METHODS.map((method) => ({ value: method.id, label: method.title }))}
            onChange={(next) => onChange(next as Method)}
          />
        )}
      </Labelled>
      <Link
        to="/leaderboard/method"
        className="mt-1 inline-flex touch:min-h-11 items-center rounded-xs text-xs text-ink-2 underline underline-offset-2 hover:text-ink"
      >
        How the leaderboard works
      </Link>
    </div>
  );
}

const hintOf = (value: Method) => {
  const text = METHODS.find((each) => each.id === value)?.text;
  return text ? { hint: text } : {};
};
