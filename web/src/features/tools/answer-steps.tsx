/** The way to an answer: what was said between, and each tool that was called, folded. */
import type { ReplyView, TurnView } from "@/api/types";
import { Markdown } from "@/components/markdown/markdown";
import { CallView } from "@/features/tools/call-view";
import { isUnfinished } from "@/turn/reduce-turn";

interface AnswerStepsProps {
  turn: TurnView;
  steps: readonly ReplyView[];
}

export function AnswerSteps({ turn, steps }: AnswerStepsProps) {
  const running = isUnfinished(turn.status);
  const shown = steps.flatMap((reply, at) => {
    const calls = (turn.tools ?? []).filter(({ reply_id }) => reply_id === reply.id);
    const between = at < steps.length - 1 && reply.text ? reply.text : "";
    return calls.length > 0 || between ? [{ reply, calls, between }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <div className="mb-3 flex flex-col gap-2">
      {shown.map(({ reply, calls, between }) => (
        <div key={reply.id} className="flex flex-col gap-2">
          {between && <Markdown text={between} />}
          {calls.map((call) => (
            <CallView key={call.id} call={call} session={turn.session_id} running={running} />
          ))}
        </div>
      ))}
    </div>
  );
}
