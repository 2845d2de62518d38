/** One member in one round: what it answers, how sure it is, and why it may not count. */

import { memo, useRef } from "react";
import { CopyButton } from "@/components/copy-button";
import { Folded } from "@/components/folded";
import { Markdown } from "@/components/markdown/markdown";
import { CameAbout } from "@/features/arena/came-about";
import { JumpButton } from "@/features/arena/jump-button";
import { MetricsLine } from "@/features/arena/metrics-line";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { MemberText } from "@/features/consortium/member-text";
import type { Sentence } from "@/features/consortium/notes";
import type { MemberAnswer } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { formatConfidence } from "@/features/consortium/words";
import { cn } from "@/lib/cn";
import { Skeleton } from "@/ui/skeleton";

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
  const { member, reply, writing, confidence } = said;
  const area = useRef<HTMLDivElement>(null);
  const tail = useFollowTail(area, { growing: writing, whole: reply?.status === "completed" });
  return (
    <section
      role="group"
      aria-label={STRINGS.answerOf(member.name)}
      className={cn(
        "relative flex min-w-0 flex-col rounded-lg border border-line bg-surface",
        (said.leftOut || said.leaves) && "border-dashed border-line-strong",
        className,
      )}
    >
      <header className="flex min-h-10 items-center gap-2 py-1 pr-2 pl-3.5">
        <i aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: member.color }} />
        <h4
          className="min-w-0 text-sm leading-tight font-semibold [overflow-wrap:anywhere]"
          title={member.role ?? undefined}
        >
          {member.name}
          {member.role && <span className="ml-1.5 font-normal text-ink-3">{member.role}</span>}
        </h4>
        <span className="flex-1" />
        {said.leaves && <Tag>{STRINGS.leaves}</Tag>}
        {said.leftOut && <Tag>{STRINGS.leftOut}</Tag>}
        <span
          className={cn("num shrink-0 text-sm", confidence === null ? "text-xs text-ink-3" : "text-ink-2")}
          title={STRINGS.selfReportedConfidence}
        >
          {confidence !== undefined && <span className="sr-only">{STRINGS.confidence} </span>}
          {confidence === undefined ? "" : formatConfidence(confidence)}
        </span>
        {said.answer && !writing && !hidden && (
          <span className="flex shrink-0">
            <CopyButton text={said.answer} label={STRINGS.copyAnswerOf(member.name)} />
            <ReplyMenu name={member.name} text={said.answer} />
          </span>
        )}
      </header>
      <div aria-hidden="true" className="h-[3px] bg-line">
        <div
          className="h-full transition-[width] duration-300"
          style={{ width: `${(confidence ?? 0) * 100}%`, background: member.color }}
        />
      </div>
      <div
        ref={area}
        tabIndex={0}
        role="group"
        aria-label={STRINGS.textOf(member.name)}
        data-scroll-area
        className="focus-inset max-h-[320px] min-h-[110px] flex-1 overflow-y-auto px-3.5 py-3"
      >
        <div className="flex flex-col gap-2.5">
          {said.leftOut && <LeftOut problem={said.leftOut} />}
          {!hidden && <Thoughts said={said} />}
          <Body said={said} hidden={hidden} running={running} sentences={sentences} />
          {reply?.status === "completed" && !hidden && (
            <CameAbout model={member.model} turnId={turnId} replyId={reply.id} />
          )}
        </div>
      </div>
      <JumpButton shown={!tail.atEnd && writing && !hidden} onJump={tail.jump} />
      {reply?.metrics && !(said.leftOut && reply.text === "") && (
        <footer className="border-t border-line px-3.5 py-1.5">
          <MetricsLine metrics={reply.metrics} className="gap-x-2.5!" />
        </footer>
      )}
    </section>
  );
});

function Tag({ children }: { children: string }) {
  return (
    <span className="shrink-0 rounded-xs border border-line-strong px-1.5 text-2xs text-ink-2">
      {children}
    </span>
  );
}

function LeftOut({ problem }: { problem: NonNullable<MemberAnswer["leftOut"]> }) {
  return (
    <div className="rounded-md bg-raised px-3 py-2 text-sm">
      <p className="font-medium">{problem.title}</p>
      {problem.detail && <p className="text-ink-2">{problem.detail}</p>}
    </div>
  );
}

function Thoughts({ said }: { said: MemberAnswer }) {
  const { thoughts, writing, answer, reply } = said;
  const aloud = [reply?.reasoning ?? "", thoughts].filter(Boolean).join("\n\n");
  if (!aloud) return null;
  const thinking = writing && answer === "";
  return (
    <Folded
      label={
        <span className={cn(thinking && "animate-shimmer")}>
          {thinking ? STRINGS.thinking : STRINGS.thoughtProcess}
        </span>
      }
    >
      <Markdown text={aloud} writing={thinking} />
    </Folded>
  );
}

function Body({
  said,
  hidden,
  running,
  sentences,
}: Pick<MemberPanelProps, "said" | "hidden" | "running" | "sentences">) {
  const { answer, writing, reply, member } = said;
  if (hidden) return <p className="text-sm text-ink-3">{STRINGS.heldBack}</p>;
  if (answer)
    return <MemberText seat={member.seat} answer={answer} writing={writing} sentences={sentences} />;
  if (running && (writing || !reply)) {
    return (
      <div className="space-y-2.5 pt-0.5">
        <span className="sr-only">{STRINGS.waitingForToken}</span>
        <Skeleton className="h-3 w-[92%]" />
        <Skeleton className="h-3 w-[80%]" />
        <Skeleton className="h-3 w-[55%]" />
      </div>
    );
  }
  if (said.leftOut) return null;
  return <p className="text-sm text-ink-3">{reply?.error?.title ?? STRINGS.noAnswer}</p>;
}
