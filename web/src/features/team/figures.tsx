/** How far the team is and what it took so far, with its timeline as a picture or a table. */

import { ChartGantt, History, Table2 } from "lucide-react";
import type { MatchView } from "@/api/types";
import { useContestant } from "@/features/lineup/use-contestant";
import { PlayerControls } from "@/features/panels/player-controls";
import { WorthOf } from "@/features/standings/worth";
import type { TeamView } from "@/features/team/read-team";
import { TeamTable } from "@/features/team/team-table";
import { Timeline } from "@/features/team/timeline";
import type { Replay } from "@/features/team/use-replay";
import { stateOf } from "@/features/team/words";
import { formatCount, formatMs, formatSpent, titled } from "@/lib/format";
import { useStored } from "@/lib/local-storage";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";

type Look = "graph" | "table";

interface FiguresProps {
  match: MatchView;
  view: TeamView;
  replay: Replay;
}

export function Figures({ match, view, replay }: FiguresProps) {
  const contestant = useContestant(match, view.synthesis !== null && !view.running);
  const [look, setLook] = useStored<Look>("team-timeline", "graph");
  const { plan, spent, tookMs, end } = view;
  const playing = view.rounds.some((round) => round.kind === "planned" && !round.end);
  const done = (end?.done ?? plan?.done ?? 0) + Number((view.running || replay.on) && playing);
  const rounds = end?.rounds ?? plan?.rounds ?? 0;
  return (
    <div
      role="group"
      aria-label="Team so far"
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="num min-w-0 text-sm">
          {plan && <span className="font-semibold">{titled(plan.strategy)}</span>}
          {done > 0 && (
            <span className="text-ink-3">
              {" "}
              · round {Math.min(done, rounds)} of {rounds}
            </span>
          )}
          <span className={view.running ? "animate-shimmer" : "text-ink-2"}>
            {" "}
            · {replay.on ? "replay" : stateOf(view)}
          </span>
        </p>
        <span className="flex-1" />
        <p className="num flex flex-wrap gap-x-3 text-sm text-ink-2">
          {spent && <span>{formatSpent(spent.cost_micros, spent.unpriced)}</span>}
          {spent && <span>{formatCount(spent.tokens)} tokens</span>}
          {tookMs > 0 && <span>{formatMs(tookMs)}</span>}
        </p>
        {!view.running && view.rounds.length + Number(replay.on) > 0 && (
          <Button
            size="sm"
            variant="quiet"
            aria-pressed={replay.on}
            className="aria-pressed:text-accent"
            onClick={() => replay.switchOn(!replay.on)}
          >
            <History aria-hidden="true" />
            Replay
          </Button>
        )}
        <Segmented
          label="View"
          value={look}
          onChange={setLook}
          options={[
            {
              value: "graph",
              label: "Timeline",
              icon: <ChartGantt aria-hidden="true" />,
              iconOnly: true,
            },
            { value: "table", label: "Table", icon: <Table2 aria-hidden="true" />, iconOnly: true },
          ]}
        />
      </div>
      {replay.on && replay.turns && <PlayerControls player={replay.player} duration={replay.duration} />}
      {replay.on && replay.problem && <p className="text-sm text-bad">{replay.problem}</p>}
      {contestant && (
        <p className="text-sm text-ink-2">
          <WorthOf model={contestant} titled />
        </p>
      )}
      {view.rounds.length > 0 && (look === "table" ? <TeamTable view={view} /> : <Timeline view={view} />)}
    </div>
  );
}
