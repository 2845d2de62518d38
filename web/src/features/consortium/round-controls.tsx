/** How a round is looked at: coloured or plain, as answers or words, with a table. */

import { Cloud, Highlighter, Table2, TextQuote } from "lucide-react";
import { useSharedLooks } from "@/features/consortium/lit";
import type { Iteration } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { KINDS } from "@/features/consortium/words";
import { canPaint } from "@/lib/rendered-text";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";

const TOGGLE = "text-ink-3 aria-pressed:text-ink";

export function RoundControls({ iteration }: { iteration: Iteration }) {
  const { colored, setColored, look, setLook, table, setTable } = useSharedLooks();
  const { agreement, words } = iteration;
  if (!agreement) return null;
  const rounded = Object.values(agreement.sentences).some((some) => some.some((each) => each.rounded));
  const kinds = KINDS.filter(({ kind }) => kind !== "rounded" || rounded);
  const coloring = canPaint && look === "answers" && agreement.consensus !== null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1.5">
      {coloring && colored && (
        <ul aria-label={STRINGS.legend} className="flex flex-wrap gap-x-2.5 gap-y-1 pr-1 text-xs text-ink-2">
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
          title={STRINGS.colourSentences}
          onClick={() => setColored(!colored)}
        >
          <Highlighter aria-hidden="true" />
          {STRINGS.agreement}
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
        {table ? STRINGS.hideTable : STRINGS.showAsTable}
      </Button>
      {words && (
        <Segmented
          label={STRINGS.view}
          value={look}
          onChange={setLook}
          options={[
            {
              value: "answers",
              label: STRINGS.answers,
              icon: <TextQuote aria-hidden="true" />,
              iconOnly: true,
            },
            { value: "words", label: STRINGS.wordClouds, icon: <Cloud aria-hidden="true" />, iconOnly: true },
          ]}
        />
      )}
    </div>
  );
}
