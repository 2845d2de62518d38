/** One turn of any mode: what was given, what each seat said round by round, and how it is judged. */
import { memo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { Folded } from "@/components/folded";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { TurnPlaceContext, useTurnPlace } from "@/features/arena/turn-place";
import { choicesOf, type Round, roundsOf } from "@/features/general/rounds";
import { Said } from "@/features/general/said";
import { STRINGS } from "@/features/general/strings";
import { ChoiceRow } from "@/features/panels/choice-row";
import { SeatPanel } from "@/features/panels/seat-panel";
import { isUnfinished } from "@/turn/reduce-turn";

interface GeneralTurnProps {
  match: MatchView;
  turn: TurnView;
  number: number;
  last: boolean;
  /** Rounds have their numbers above them. */
  numbered: boolean;
}

export const GeneralTurn = memo(function GeneralTurn(props: GeneralTurnProps) {
  const { match, turn, number, last, numbered } = props;
  const running = isUnfinished(turn.status);
  const { rounds, unheard } = roundsOf(turn);
  const vote = match.votes.find(({ turn_id }) => turn_id === turn.id) ?? null;
  const judged = match.ballot?.each_turn && !match.blind;
  const place = useTurnPlace(number, turn, match);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={STRINGS.turn(number)}
        className="flex flex-col gap-4 pt-6"
      >
        {turn.input.type === "prompt" ? (
          <PromptBubble {...turn.input} />
        ) : (
          <Said input={turn.input} seats={match.seats} />
        )}
        {rounds.map((round) => (
          <RoundOf
            key={round.number}
            {...props}
            round={round}
            heading={numbered}
            preferred={vote?.vote ?? (match.ballot?.each_turn ? null : (match.vote?.vote ?? null))}
          />
        ))}
        {rounds.length === 0 && running && <p className="text-sm text-ink-3">{STRINGS.starting}</p>}
        {unheard.map((said) => (
          <Said
            key={said.id}
            input={said.input}
            seats={match.seats}
            note={running ? STRINGS.saidBeforeRound : STRINGS.saidTooLate}
          />
        ))}
        {turn.notes.length > 0 && <Notes turn={turn} />}
        {judged &&
          (running ? (
            // As high as the ballot that takes its place, so that this comes into sight with the last words.
            <p className="flex h-7 items-center text-sm text-ink-3">{STRINGS.voteLater}</p>
          ) : (
            <ChoiceRow match={match} turn={turn} vote={vote} {...choicesOf(match, turn)} last={last} />
          ))}
      </section>
    </TurnPlaceContext>
  );
});

interface RoundProps extends GeneralTurnProps {
  round: Round;
  heading: boolean;
  preferred: string | null;
}

function RoundOf({ match, turn, last, round, heading, preferred }: RoundProps) {
  return (
    <div role="group" aria-label={STRINGS.round(round.number)} className="flex flex-col gap-3">
      {heading && <h2 className="text-xs font-medium text-ink-3">{STRINGS.round(round.number)}</h2>}
      {round.heard.map((said) => (
        <Said key={said.id} input={said.input} seats={match.seats} />
      ))}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] items-start gap-3">
        {round.replies.map((reply) => (
          <SeatPanel
            key={reply.id}
            match={match}
            turn={turn}
            reply={reply}
            preferred={preferred === reply.seat}
            last={last}
          />
        ))}
      </div>
    </div>
  );
}

/** What the mode itself noted, as it is: the page does not know what it means. */
function Notes({ turn }: { turn: TurnView }) {
  return (
    <Folded label={turn.notes.length === 1 ? STRINGS.oneNote : STRINGS.manyNotes(turn.notes.length)}>
      <ul className="flex list-none flex-col gap-2 p-0">
        {turn.notes.map((note) => (
          <li key={`${note.name} ${note.round} ${note.key}`}>
            <p className="m-0 text-xs text-ink-3">
              {note.name}
              {note.round > 0 && STRINGS.ofRound(note.round)}
              {note.key && ` · ${note.key}`}
            </p>
            <pre className="mt-0.5 overflow-x-auto text-xs">{JSON.stringify(note.data, null, 1)}</pre>
          </li>
        ))}
      </ul>
    </Folded>
  );
}
