/** What one model makes of the rounds: who wrote it, why they ended, the text, what it took. */

import type { ReactNode } from "react";
import type { ReplyView } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { MetricsLine } from "@/features/arena/metrics-line";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { synthesisAnchor, useAnchor } from "@/features/rounds/anchors";
import { cn } from "@/lib/cn";

interface ConclusionProps {
  /** The round that it ends. */
  round: number;
  title: string;
  /** What it is called, where its title does not tell it from another one. */
  label?: string;
  author: string;
  /** The model behind the author, where they are not the same. */
  model?: string | null;
  /** What the turn came to; what leads to another round is smaller. */
  final: boolean;
  /** Reading begins here. */
  first?: boolean;
  text: string;
  writing: boolean;
  reply: ReplyView | undefined;
  /** Beside the title, at the right. */
  state?: ReactNode;
  actions?: ReactNode;
  /** Under the head: why the rounds ended, or go on. */
  why?: ReactNode;
  children: ReactNode;
}

export function Conclusion(props: ConclusionProps) {
  const { title, label = title, author, model, final, first = final, text, writing, reply } = props;
  const anchor = useAnchor(synthesisAnchor(props.round));
  return (
    <div
      {...anchor}
      role="group"
      aria-label={label}
      data-reading-start={first || undefined}
      className={cn("rounded-lg border bg-surface", final ? "border-line-strong" : "border-line")}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5 pr-2.5 pl-4 sm:pl-5">
        <h3 className={cn("font-semibold", final && "text-md")}>{title}</h3>
        <span className="min-w-0 flex-1 basis-32 text-sm leading-tight text-ink-3 [overflow-wrap:anywhere]">
          by {author}
          {model && ` · ${model}`}
        </span>
        {props.state && (
          <span className="num text-sm text-ink-2 @max-4xl:order-last @max-4xl:basis-full">
            {props.state}
          </span>
        )}
        <span className="flex items-center gap-x-3 empty:hidden">
          {props.actions}
          {text && !writing && <CopyButton text={text} label="Copy synthesis" />}
          {text && !writing && <ReplyMenu name={author} text={text} replyId={reply?.id} />}
        </span>
      </header>
      {props.why && (
        <div className="border-b border-line px-4 py-2 text-sm text-ink-2 sm:px-5">{props.why}</div>
      )}
      <div className="px-4 py-4 sm:px-5">{props.children}</div>
      {reply?.metrics && !writing && (
        <footer className="border-t border-line px-4 py-2 sm:px-5">
          <MetricsLine metrics={reply.metrics} />
        </footer>
      )}
    </div>
  );
}

/** What to know before one relies on it. */
export const ConclusionWarning = ({ text }: { text: string | null | undefined }) =>
  text ? (
    <p role="note" className="rounded-md border border-bad/40 px-3 py-2 text-sm">
      {text}
    </p>
  ) : null;
