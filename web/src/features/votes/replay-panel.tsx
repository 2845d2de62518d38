import { Check } from "lucide-react";
import { memo, type ReactNode, useEffect, useRef } from "react";
import type { ReplayedReply } from "@/api/votes";
import { Markdown } from "@/components/markdown/markdown";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { textAt } from "@/features/panels/replayed-text";
import { cn } from "@/lib/cn";
import { formatMs, formatRate } from "@/lib/format";

interface ReplayPanelProps {
  reply: ReplayedReply;
  turnId: string;
  side: number;
  /** Milliseconds since the turn began. */
  at: number;
  /** The model is named from the beginning. */
  open: boolean;
  /** The replay has ended. */
  over: boolean;
  preferred: boolean;
}

const LETTERS = ["A", "B", "C", "D", "E", "F"];

/** One side of a replay: its text so far, and at the end who it was. */
export function ReplayPanel({ reply, turnId, side, at, open, over, preferred }: ReplayPanelProps) {
  const { text, writing } = textAt(reply, at);
  const letter = LETTERS[side] ?? "?";
  const named = open || over;
  const label = open ? reply.model.name : `Assistant ${letter}`;
  return (
    <section
      aria-label={label}
      className={cn(
        "flex min-h-0 min-w-0 flex-col rounded-lg border bg-surface transition-[border-color,box-shadow] duration-300",
        preferred ? "border-gold-line shadow-[0_0_0_1px_var(--gold-line)]" : "border-line",
      )}
    >
      <header className="flex min-h-[46px] items-center gap-2.5 border-b border-line px-4 py-1.5">
        <i
          aria-hidden="true"
          className="size-2 shrink-0 rounded-full"
          style={{ background: `var(--seat-${letter.toLowerCase()})` }}
        />
        <h2 className="min-w-0 leading-tight font-semibold [overflow-wrap:anywhere]">
          {named ? reply.model.name : label}
        </h2>
        {named && <span className="text-xs text-ink-3">{reply.model.organization}</span>}
        {preferred && (
          <span className="ml-auto inline-flex items-center gap-1 text-xs font-medium text-gold">
            <Check aria-hidden="true" className="size-4" />
            Your pick
          </span>
        )}
      </header>
      <Text text={text} writing={writing} label={`${label}’s answer`}>
        {over && (
          <EnsembleRounds model={reply.model} turnId={turnId} replyId={reply.reply_id} className="mt-5" />
        )}
      </Text>
      {over && reply.metrics && (
        <footer className="num border-t border-line px-4 py-2 text-xs text-ink-3">
          First word {formatMs(reply.metrics.ttft_ms)} · {formatMs(reply.metrics.duration_ms)}
          {reply.metrics.tokens_per_second !== null && ` · ${formatRate(reply.metrics.tokens_per_second)}`}
        </footer>
      )}
    </section>
  );
}

interface TextProps {
  text: string;
  writing: boolean;
  label: string;
  children: ReactNode;
}

const Text = memo(function Text({ text, writing, label, children }: TextProps) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (writing && text && area.current) area.current.scrollTop = area.current.scrollHeight;
  }, [text, writing]);
  return (
    <div
      ref={area}
      tabIndex={0}
      role="group"
      aria-label={label}
      data-scroll-area
      className="focus-inset min-h-0 flex-1 overflow-y-auto rounded-md px-[18px] py-4"
    >
      {text ? (
        <Markdown text={text} writing={writing} />
      ) : (
        <p className="text-sm text-ink-3">{writing ? "…" : "No text."}</p>
      )}
      {children}
    </div>
  );
});
