/** The tools that were called in a round: each with its arguments and its result, folded. */
import { TriangleAlert, Wrench } from "lucide-react";
import type { MatchView, ToolCallView, TurnView } from "@/api/types";
import { Disclosure } from "@/components/disclosure";
import { seatLabel } from "@/features/arena/input-chip";
import { outcomeOf } from "@/features/tools/tool-outcome";
import { isUnfinished } from "@/turn/reduce-turn";

interface ToolCallsProps {
  match: MatchView;
  turn: TurnView;
  calls: readonly ToolCallView[];
}

export function ToolCalls({ match, turn, calls }: ToolCallsProps) {
  if (calls.length === 0) return null;
  const callerOf = ({ reply_id }: ToolCallView) => {
    const reply = turn.replies.find(({ id }) => id === reply_id);
    const seat = match.seats.find(({ name }) => name === reply?.seat);
    return seat && seatLabel(seat);
  };
  return (
    <ul className="flex list-none flex-col gap-1.5 p-0">
      {calls.map((call) => (
        <li key={`${call.reply_id} ${call.id}`}>
          <Called call={call} caller={callerOf(call)} running={isUnfinished(turn.status)} />
        </li>
      ))}
    </ul>
  );
}

interface CalledProps {
  call: ToolCallView;
  /** The seat that called it; none if the mode did. */
  caller: string | undefined;
  running: boolean;
}

function Called({ call, caller, running }: CalledProps) {
  const { summary, text, failed } = outcomeOf(call, running);
  return (
    <Disclosure
      label={
        <>
          <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="shrink-0 text-ink">{call.name}</span>
          {caller && <span className="truncate text-ink-3">{caller}</span>}
        </>
      }
      aside={
        <span className={failed ? "text-bad" : undefined}>
          {failed && <TriangleAlert aria-hidden="true" className="mr-1 inline size-3" />}
          {summary}
        </span>
      }
    >
      <Part title="Arguments" text={call.arguments} />
      {text !== null && <Part title={failed ? "Error" : "Result"} text={text} />}
    </Disclosure>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <>
      <p className="m-0 text-xs text-ink-3 not-first:mt-2">{title}</p>
      <pre className="mt-0.5 overflow-x-auto text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </pre>
    </>
  );
}
