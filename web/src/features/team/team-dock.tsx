/** What the person can do without words: go on, skip, ask for the synthesis, or take up what ended early. */

import { FastForward, Flag, SkipForward } from "lucide-react";
import type { MatchRecord } from "@/api/types";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { Control, Controls } from "@/features/rounds/controls";
import { EndedEarly, RetryTurn } from "@/features/rounds/ending";
import { questionsOf, readTeam } from "@/features/team/read-team";
import { whyOf } from "@/features/team/words";

export function TeamDock({ record }: { record: MatchRecord }) {
  const turn = lastTurn(record);
  const turns = questionsOf(record.turns).at(-1);
  if (!turn || !turns) return null;
  const view = readTeam(record.match, turns);
  const statements = view.rounds.flatMap((round) => round.statements);
  const spoken = statements.some(({ said }) => said && !said.problem);
  const conclude = spoken && <Conclude record={record} />;
  if (view.running) {
    const concluding =
      view.rounds.at(-1)?.synthesis || view.waiting.some(({ input }) => input.type === "synthesise");
    if (!spoken || concluding) return null;
    return (
      <Controls>
        {conclude}
        <Skip record={record} />
      </Controls>
    );
  }
  if (turn.status === "stopped" || turn.status === "failed") {
    return (
      <EndedEarly
        turn={turn}
        stopped="Team stopped."
        failed="The team failed."
        saved="Finished statements are saved."
      >
        {turn.error?.code !== "mode_cap_reached" && (
          <RetryTurn turn={turn} label={turn.status === "stopped" ? "Resume" : "Retry"} variant="primary" />
        )}
        {conclude}
      </EndedEarly>
    );
  }
  if (view.paused) {
    return (
      <Controls hint="Add a fact, steer, ask one expert, or continue with the next round.">
        <Control
          record={record}
          input={{ type: "continue", to_end: true }}
          icon={FastForward}
          label="Run to the end"
          short
        />
        <Skip record={record} short />
        <Conclude record={record} short />
      </Controls>
    );
  }
  if (view.end?.next === "end" && view.end.kind !== "synthesis") {
    const why = whyOf(view, record.match.brief) ?? "";
    return (
      <Notice
        title="The cap is reached, so no synthesis was written."
        detail={`${why} Finished statements are saved. You can still ask for the synthesis.`.trimStart()}
      >
        {conclude}
      </Notice>
    );
  }
  if (statements.some(({ reply }) => reply.status === "failed")) {
    return (
      <Notice
        title="Some experts gave no answer."
        detail="The team continued without them. Retry asks only the failed experts and writes the synthesis again."
      >
        <RetryTurn turn={turn} variant="primary" />
      </Notice>
    );
  }
  return null;
}

interface StepProps {
  record: MatchRecord;
  short?: boolean;
}

const Conclude = (props: StepProps) => (
  <Control {...props} input={{ type: "synthesise" }} icon={Flag} label="Write synthesis now" />
);

const Skip = (props: StepProps) => (
  <Control {...props} input={{ type: "skip" }} icon={SkipForward} label="Skip next round" />
);
