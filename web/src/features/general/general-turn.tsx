/** One turn of any mode: what was given, what each seat said round by round, and how it is judged. */
import { memo } from "react";
import type { Interjection, MatchView, TurnView } from "@/api/types";
import { Disclosure } from "@/components/disclosure";
import { seatLabel } from "@/features/arena/input-chip";
import { choicesOf, type Round as Replies, roundsOf } from "@/features/general/rounds";
import { ToolCalls } from "@/features/general/tool-calls";
import { ChoiceRow } from "@/features/panels/choice-row";
import { SeatPanel } from "@/features/panels/seat-panel";
import { Anchors } from "@/features/rounds/anchors";
import { InterjectionBubble, inputTitle } from "@/features/rounds/interjection-bubble";
import { Round } from "@/features/rounds/round";
import { Turn } from "@/features/rounds/turn";
import { formatMs } from "@/lib/format";
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
  const words = ({ id, input, created_at: at }: Interjection | TurnView) => ({
    id,
    input,
    at,
    title: inputTitle(input, (seat) => nameOf(match, seat), "a conclusion"),
  });
  return (
    <Anchors question={turn.id}>
      <Turn match={match} turn={turn} number={number}>
        {turn.input.type !== "prompt" && <InterjectionBubble {...words(turn)} />}
        {rounds.map((round) => (
          <div key={round.number} className="contents">
            {round.heard.map((said) => (
              <InterjectionBubble key={said.id} {...words(said)} />
            ))}
            <Round number={round.number} alone={!numbered} line={lineOf(round)}>
              <Seats
                {...props}
                replies={round.replies}
                preferred={vote?.vote ?? (match.ballot?.each_turn ? null : (match.vote?.vote ?? null))}
              />
              <ToolCalls match={match} turn={turn} calls={round.tools} />
            </Round>
          </div>
        ))}
        {rounds.length === 0 && running && <p className="text-sm text-ink-3">Starting…</p>}
        {unheard.map((said) => (
          <InterjectionBubble
            key={said.id}
            {...words(said)}
            note={running ? "Models see this in the next round." : "Sent too late. No round used it."}
          />
        ))}
        {turn.notes.length > 0 && <Notes turn={turn} />}
        {judged &&
          (running ? (
            // As high as the ballot that takes its place, so that this comes into sight with the last words.
            <p className="flex h-7 items-center text-sm text-ink-3">
              You can vote when all answers are done.
            </p>
          ) : (
            <ChoiceRow match={match} turn={turn} vote={vote} {...choicesOf(match, turn)} last={last} />
          ))}
      </Turn>
    </Anchors>
  );
});

interface SeatsProps extends GeneralTurnProps {
  replies: Replies["replies"];
  preferred: string | null;
}

const Seats = ({ match, turn, last, numbered, replies, preferred }: SeatsProps) =>
  replies.length > 0 && (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] items-start gap-3">
      {replies.map((reply) => (
        <SeatPanel
          key={reply.id}
          match={match}
          turn={turn}
          reply={reply}
          preferred={preferred === reply.seat}
          last={last}
          heading={numbered ? "h4" : "h2"}
        />
      ))}
    </div>
  );

function nameOf(match: MatchView, name: string): string {
  const seat = match.seats.find((each) => each.name === name);
  return seat ? seatLabel(seat) : "a model";
}

/** "1 of 2 answered · 12.3 s" */
function lineOf({ replies }: Replies): string {
  if (replies.length === 0) return "";
  const answered = replies.filter(({ status }) => status === "completed").length;
  const took = Math.max(0, ...replies.map(({ metrics }) => metrics?.duration_ms ?? 0));
  return [`${answered} of ${replies.length} answered`, took > 0 && formatMs(took)]
    .filter(Boolean)
    .join(" · ");
}

/** What the mode itself noted, as it is: the page does not know what it means. */
function Notes({ turn }: { turn: TurnView }) {
  return (
    <Disclosure label={turn.notes.length === 1 ? "1 note" : `${turn.notes.length} notes`}>
      <ul className="flex list-none flex-col gap-2 p-0">
        {turn.notes.map((note) => (
          <li key={`${note.name} ${note.round} ${note.key}`}>
            <p className="m-0 text-xs text-ink-3">
              {note.name}
              {note.round > 0 && ` · round ${note.round}`}
              {note.key && ` · ${note.key}`}
            </p>
            <pre className="mt-0.5 overflow-x-auto text-xs">{JSON.stringify(note.data, null, 1)}</pre>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
