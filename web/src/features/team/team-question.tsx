/** One question to a team and all that followed: figures and timeline, round after round, the synthesis at the end. */

import { useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { Anchors } from "@/features/rounds/anchors";
import { Turn } from "@/features/rounds/turn";
import { useAnnouncedRounds } from "@/features/rounds/use-announced-rounds";
import { Figures } from "@/features/team/figures";
import { readTeam, type TeamView } from "@/features/team/read-team";
import { TeamInterjection, TeamRound } from "@/features/team/round";
import { SynthesisCard } from "@/features/team/synthesis-card";
import { useReplay } from "@/features/team/use-replay";
import { announcedOf, whyOf } from "@/features/team/words";

interface TeamQuestionProps {
  match: MatchView;
  turns: readonly TurnView[];
  /** The number of its first turn in the session. */
  firstTurn: number;
  /** The session's last question: the one that goes on. */
  last: boolean;
}

export function TeamQuestion({ match, turns, firstTurn, last }: TeamQuestionProps) {
  const whole = useMemo(() => readTeam(match, turns), [match, turns]);
  const replay = useReplay(whole, turns);
  const played = whole.running ? null : replay.turns;
  const view = useMemo(() => (played ? readTeam(match, played) : whole), [match, played, whole]);
  const refs = view.rounds.flatMap(({ statements }) => statements.map(({ ref }) => ref)).join();
  const discussed = view.rounds.findLast(({ synthesis }) => !synthesis)?.number;
  useAnnouncedRounds(announcedOf(whole), last);
  return (
    <Anchors question={view.id} known={refs}>
      {view.turns.map(({ turn, rounds }, index) => (
        <Turn key={turn.id} turn={turn} number={firstTurn + index} continues={index > 0}>
          {index === 0 && <Figures match={match} view={view} replay={replay} />}
          {rounds.map((round) => (
            <TeamRound
              key={round.number}
              match={match}
              round={round}
              experts={view.experts}
              past={!last || round.number !== discussed}
              newest={round.synthesis !== null && round.synthesis === view.synthesis}
            />
          ))}
          {index === view.turns.length - 1 && <Ending view={view} match={match} />}
        </Turn>
      ))}
    </Anchors>
  );
}

/** What nobody has heard yet, and the newest synthesis. */
function Ending({ view, match }: { view: TeamView; match: MatchView }) {
  const { synthesis, waiting, experts, running, rounds } = view;
  const written = rounds.findLast((round) => round.synthesis === synthesis);
  return (
    <>
      {waiting.map((said) => (
        <TeamInterjection
          key={said.id}
          said={said}
          experts={experts}
          note={
            running ? "The team reads this before the next round." : "The team reads this when it continues."
          }
        />
      ))}
      {synthesis && written && (
        <SynthesisCard
          synthesis={synthesis}
          number={written.number}
          experts={experts}
          why={written === rounds.at(-1) ? whyOf(view, match.brief) : null}
          outdated={written !== rounds.at(-1)}
        />
      )}
    </>
  );
}
