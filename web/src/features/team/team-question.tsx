/** One question to a team and all that followed: figures and timeline, round after round, the synthesis at the end. */

import { memo, type ReactNode, useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { Column } from "@/components/column";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { TurnPlaceContext, useTurnPlace } from "@/features/arena/turn-place";
import { Figures } from "@/features/team/figures";
import { PersonWords } from "@/features/team/person-words";
import { PlacesContext, usePlacesOf } from "@/features/team/places";
import { readTeam, type TeamView } from "@/features/team/read-team";
import { Round } from "@/features/team/round";
import { STRINGS } from "@/features/team/strings";
import { SynthesisCard } from "@/features/team/synthesis-card";
import { useAnnouncedTeam } from "@/features/team/use-announced-team";
import { useReplay } from "@/features/team/use-replay";
import { whyOf } from "@/features/team/words";

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
  const { places, opened, fold } = usePlacesOf(view);
  const discussed = view.rounds.findLast(({ synthesis }) => !synthesis)?.number;
  useAnnouncedTeam(whole, last);
  return (
    <PlacesContext value={places}>
      {view.turns.map(({ turn, rounds }, index) => (
        <Turn
          key={turn.id}
          turn={turn}
          number={firstTurn + index}
          figures={index === 0 && <Figures match={match} view={view} replay={replay} />}
        >
          {rounds.map((round) => (
            <Round
              key={round.number}
              match={match}
              round={round}
              experts={view.experts}
              past={!last || round.number !== discussed}
              open={opened.has(round.number)}
              onFold={fold}
              newest={round.synthesis !== null && round.synthesis === view.synthesis}
            />
          ))}
          {index === view.turns.length - 1 && <Ending view={view} match={match} />}
        </Turn>
      ))}
    </PlacesContext>
  );
}

interface TurnProps {
  turn: TurnView;
  number: number;
  /** Above the rounds of a question's first turn. */
  figures: ReactNode;
  children: ReactNode;
}

const Turn = memo(function Turn({ turn, number, figures, children }: TurnProps) {
  const place = useTurnPlace(number, turn);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={STRINGS.turn(number)}
        className={figures ? "shrink-0 pt-5" : "shrink-0 pt-3.5"}
      >
        <Column wide className="@container flex flex-col gap-3.5">
          {turn.input.type === "prompt" && <PromptBubble {...turn.input} />}
          {figures}
          {children}
        </Column>
      </section>
    </TurnPlaceContext>
  );
});

/** What nobody has heard yet, and the newest synthesis. */
function Ending({ view, match }: { view: TeamView; match: MatchView }) {
  const { synthesis, waiting, experts, running, rounds } = view;
  const written = rounds.findLast((round) => round.synthesis === synthesis);
  return (
    <>
      {waiting.map((said) => (
        <PersonWords
          key={said.id}
          said={said}
          experts={experts}
          note={running ? STRINGS.heardNext : STRINGS.heardLater}
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
