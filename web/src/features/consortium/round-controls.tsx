/** How a round is looked at: coloured or plain, as answers or words, with a table. */

import { Cloud, Highlighter, Table2, TextQuote } from "lucide-react";
import type { Iteration } from "@/features/consortium/read-consortium";
import { useViewOptions } from "@/features/consortium/view-options";
import { KINDS } from "@/features/consortium/words";
import { canPaint } from "@/lib/rendered-text";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";

const TOGGLE = "text-ink-3 aria-pressed:text-ink";

export function RoundControls({ iteration }: { iteration: Iteration }) {
  const { colored, setColored, look, setLook, table, setTable } = useViewOptions();
  const { agreement, words } = iteration;
  if (!agreement) return null;
  const marks = new Set(Object.values(agreement.sentences).flatMap((some) => some.map(({ kind }) => kind)));
  const kinds = KINDS.filter(({ kind }) => (kind !== "number" && kind !== "disputed") || marks.has(kind));
  const coloring = canPaint && look === "answers" && agreement.consensus !== null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1.5">
      {coloring && colored && (
        <ul aria-label="Legend" className="flex flex-wrap gap-x-2.5 gap-y-1 pr-1 text-xs text-ink-2">
          {kinds.map(({ kind, label, long }) => (
            <li key={kind} title={long}>
              <span className="agree-sample" data-kind={kind}>
                {label}
              </span>
            </li>
          ))}
        </ul>
      )}
      {coloring && (
        <Button
          size="sm"
          variant="quiet"
          className={TOGGLE}
          aria-pressed={colored}
          title="Colour sentences by agreement"
          onClick={() => setColored(!colored)}
        >
          <Highlighter aria-hidden="true" />
          Agreement
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        className={TOGGLE}
        aria-pressed={table}
        onClick={() => setTable(!table)}
      >
        <Table2 aria-hidden="true" />
        {table ? "Hide table" : "Show as table"}
      </Button>
      {words && (
        <Segmented
          label="View"
          value={look}
          onChange={setLook}
          options={[
            {
              value: "answers",
              label: "Answers",
              icon: <TextQuote aria-hidden="true" />,
              iconOnly: true,
            },
            { value: "words", label: "Word clouds", icon: <Cloud aria-hidden="true" />, iconOnly: true },
          ]}
        />
      )}
    </div>
  );
}
