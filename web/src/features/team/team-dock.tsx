/** What the person can do without words: go on, skip, ask for the synthesis, or take up what ended early. */

import { FastForward, Flag, type LucideIcon, RotateCcw, SkipForward } from "lucide-react";
import type { MatchRecord } from "@/api/types";
import { type Given, lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useGive, useRetry } from "@/features/arena/use-turn-actions";
import { questionsOf, readTeam } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { whyOf } from "@/features/team/words";
import { focusComposer } from "@/lib/focus-composer";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";

export function TeamDock({ record }: { record: MatchRecord }) {
  const turn = lastTurn(record);
  const turns = questionsOf(record.turns).at(-1);
  const retry = useRetry();
  if (!turn || !turns) return null;
  const view = readTeam(record.match, turns);
  const said = view.rounds.flatMap(({ statements }) => statements);
  const spoken = said.some((each) => each.said && !each.said.problem);
  const conclude = spoken && (
    <Give record={record} input={{ type: "synthesise" }} icon={Flag} label={STRINGS.synthesisNow} />
  );
  const skip = <Give record={record} input={{ type: "skip" }} icon={SkipForward} label={STRINGS.skipRound} />;
  const again = (label: string) => (
    <Button size="sm" variant="primary" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
      <RotateCcw aria-hidden="true" />
      {label}
    </Button>
  );
  if (view.running) {
    const concluding =
      view.rounds.at(-1)?.synthesis || view.waiting.some(({ input }) => input.type === "synthesise");
    if (!spoken || concluding) return null;
    return (
      <fieldset className="flex justify-end gap-2">
        <legend className="sr-only">{STRINGS.stepIn}</legend>
        {conclude}
        {skip}
      </fieldset>
    );
  }
  if (turn.status === "stopped" || turn.status === "failed") {
    const stopped = turn.status === "stopped";
    return (
      <Notice
        tone={stopped ? "plain" : "bad"}
        alert={!stopped}
        title={stopped ? STRINGS.stopped : (turn.error?.title ?? STRINGS.failed)}
        detail={stopped ? STRINGS.statementsSaved : (turn.error?.detail ?? STRINGS.statementsSaved)}
      >
        {turn.error?.code !== "mode_cap_reached" && again(stopped ? STRINGS.resume : STRINGS.retry)}
        {conclude}
      </Notice>
    );
  }
  if (view.paused) {
    return (
      <fieldset className="flex items-center gap-2 rounded-md border border-line-strong bg-surface px-4 py-2 text-sm">
        <legend className="sr-only">{STRINGS.stepIn}</legend>
        <p className="min-w-0 flex-1">
          <span className="font-medium">{STRINGS.pausedTitle}</span>{" "}
          <span className="text-ink-2 max-lg:hidden">{STRINGS.pausedHint}</span>
        </p>
        <Give
          record={record}
          input={{ type: "continue", to_end: true }}
          icon={FastForward}
          label={STRINGS.runToEnd}
          short
        />
        <Give record={record} input={{ type: "skip" }} icon={SkipForward} label={STRINGS.skipRound} short />
        <Give record={record} input={{ type: "synthesise" }} icon={Flag} label={STRINGS.synthesisNow} short />
      </fieldset>
    );
  }
  if (view.end?.next === "end" && view.end.kind !== "synthesis") {
    return (
      <Notice
        title={STRINGS.capTitle}
        detail={[whyOf(view, record.match.brief), STRINGS.capHint].filter(Boolean).join(" ")}
      >
        {conclude}
      </Notice>
    );
  }
  if (said.some(({ reply }) => reply.status === "failed")) {
    return (
      <Notice title={STRINGS.someFailed} detail={STRINGS.someFailedHint}>
        {again(STRINGS.retry)}
      </Notice>
    );
  }
  return null;
}

interface GiveProps {
  record: MatchRecord;
  input: Given;
  icon: LucideIcon;
  label: string;
  /** On a phone the icon alone. */
  short?: boolean;
}

function Give({ record, input, icon: Icon, label, short = false }: GiveProps) {
  const { mutate, isPending } = useGive(record);
  const hovers = useMedia("(hover: hover)");
  const give = () => {
    mutate(input);
    // The button goes away; the focus must not go with it.
    if (hovers) focusComposer();
  };
  return (
    <Button size="sm" title={label} disabled={isPending} onClick={give}>
      <Icon aria-hidden="true" />
      <span className={short ? "max-sm:sr-only" : undefined}>{label}</span>
    </Button>
  );
}
