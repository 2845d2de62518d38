/** One member in one round: what it answers, how sure it is, and why it may not count. */

import { memo } from "react";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { MetricsLine } from "@/features/arena/metrics-line";
import { waitingFor } from "@/features/arena/queue-words";
import { Reasoning } from "@/features/arena/reasoning";
import { WaitingLines } from "@/features/arena/reply-body";
import { MemberText } from "@/features/consortium/member-text";
import type { Sentence } from "@/features/consortium/notes";
import type { MemberAnswer } from "@/features/consortium/read-consortium";
import { formatConfidence } from "@/features/consortium/words";
import { ReplyPanel } from "@/features/panels/reply-panel";
import { ReplyProblem } from "@/features/panels/reply-problem";
import { cn } from "@/lib/cn";

interface MemberPanelProps {
  turnId: string;
  said: MemberAnswer;
  sentences: readonly Sentence[] | null;
  /** The setting "Show members while they write" is off: the text comes once it is judged. */
  hidden: boolean;
  running: boolean;
  className?: string;
}

export const MemberPanel = memo(function MemberPanel(props: MemberPanelProps) {
  const { turnId, said, sentences, hidden, running, className } = props;
  const { member, reply, writing, confidence, leftOut } = said;
  return (
    <ReplyPanel
      label={`${member.name}’s answer`}
      name={member.name}
      color={member.color}
      about={member.role}
      heading="h4"
      text={hidden ? "" : said.answer}
      writing={writing && !hidden}
      whole={reply?.status === "completed"}
      before={
        <span className="mr-1 flex items-center gap-2">
          {said.leaves && <Tag>leaves</Tag>}
          {leftOut && <Tag>left out</Tag>}
          {confidence !== undefined && (
            <span
              className={cn("num", confidence === null ? "text-xs text-ink-3" : "text-sm text-ink-2")}
              title="Self-reported confidence"
            >
              <span className="sr-only">confidence </span>
              {formatConfidence(confidence)}
            </span>
          )}
        </span>
      }
      bar={
        <div aria-hidden="true" className="h-[3px] bg-line">
          <div
            className="h-full transition-[width] duration-300"
            style={{ width: `${(confidence ?? 0) * 100}%`, background: member.color }}
          />
        </div>
      }
      footer={
        reply?.metrics &&
        !(leftOut && reply.text === "") && <MetricsLine metrics={reply.metrics} className="gap-x-2.5!" />
      }
      height="max-h-[320px] min-h-[110px]"
      line={leftOut || said.leaves ? "border-dashed border-line-strong" : "border-line"}
      className={className}
    >
      <div className="flex flex-col gap-2.5 *:mb-0">
        {leftOut && <ReplyProblem {...leftOut} />}
        {!hidden && <Thoughts said={said} />}
        <Body said={said} hidden={hidden} running={running} sentences={sentences} />
        {reply?.status === "completed" && !hidden && (
          <EnsembleRounds model={member.model} turnId={turnId} replyId={reply.id} />
        )}
      </div>
    </ReplyPanel>
  );
});

const Tag = ({ children }: { children: string }) => (
  <span className="rounded-xs border border-line-strong px-1.5 text-2xs text-ink-2">{children}</span>
);

/** What the model thought, and what it wrote as its thoughts. */
function Thoughts({ said: { reply, thoughts, answer, writing } }: { said: MemberAnswer }) {
  const reasoning = [reply?.reasoning, thoughts].filter(Boolean).join("\n\n");
  return reply && <Reasoning reply={{ ...reply, reasoning, text: answer }} running={writing} />;
}

function Body({
  said,
  hidden,
  running,
  sentences,
}: Pick<MemberPanelProps, "said" | "hidden" | "running" | "sentences">) {
  const { answer, writing, reply, member } = said;
  if (hidden) return <p className="text-sm text-ink-3">Visible after this round is judged.</p>;
  if (answer)
    return <MemberText seat={member.seat} answer={answer} writing={writing} sentences={sentences} />;
  if (running && (writing || !reply)) return <WaitingLines queued={waitingFor(reply)} />;
  if (said.leftOut) return null;
  return <p className="text-sm text-ink-3">{reply?.error?.title ?? "No answer."}</p>;
}
