/** What the person can do without words: go on, skip, ask for the synthesis, or take up what ended early. */

import { FastForward, Flag, RotateCcw, SkipForward } from "lucide-react";
import type { ReactNode } from "react";
import type { MatchRecord } from "@/api/types";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useGive, useRetry } from "@/features/arena/use-turn-actions";
import { questionsOf, readTeam } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { whyOf } from "@/features/team/words";
import { Button } from "@/ui/button";

export function TeamDock({ record }: { record: MatchRecord }) {
  const turn = lastTurn(record);
  const turns = questionsOf(record.turns).at(-1);
  const retry = useRetry();
  const give = useGive(record);
  if (!turn || !turns) return null;
  const view = readTeam(record.match, turns);
  const spoken = view.rounds.some(({ statements }) => statements.some(({ said }) => said && !said.problem));
  const conclude = (
    <Button size="sm" disabled={give.isPending} onClick={() => give.mutate({ type: "synthesise" })}>
      <Flag aria-hidden="true" />
      {STRINGS.synthesisNow}
    </Button>
  );
  const skip = (
    <Button size="sm" disabled={give.isPending} onClick={() => give.mutate({ type: "skip", seat: null })}>
      <SkipForward aria-hidden="true" />
      {STRINGS.skipRound}
    </Button>
  );
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
      <Row>
        {conclude}
        {skip}
      </Row>
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
        {spoken && conclude}
      </Notice>
    );
  }
  if (view.paused) {
    return (
      <Notice title={STRINGS.pausedTitle} detail={STRINGS.pausedHint}>
        <Button
          size="sm"
          disabled={give.isPending}
          onClick={() => give.mutate({ type: "continue", to_end: true })}
        >
          <FastForward aria-hidden="true" />
          {STRINGS.runToEnd}
        </Button>
        {skip}
        {conclude}
      </Notice>
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
  if (view.rounds.some(({ statements }) => statements.some(({ reply }) => reply.status === "failed"))) {
    return (
      <Notice title={STRINGS.someFailed} detail={STRINGS.someFailedHint}>
        {again(STRINGS.retry)}
      </Notice>
    );
  }
  return null;
}

const Row = ({ children }: { children: ReactNode }) => (
  <fieldset className="flex flex-wrap justify-end gap-2">
    <legend className="sr-only">{STRINGS.stepIn}</legend>
    {children}
  </fieldset>
);
