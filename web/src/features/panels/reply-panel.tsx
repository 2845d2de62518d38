/** The frame of one reply: who gives it, the text that scrolls in it, and what can be done with it. */

import { type ReactNode, useRef } from "react";
import { CopyButton } from "@/components/copy-button";
import { JumpButton } from "@/features/arena/jump-button";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { SeatDot } from "@/features/panels/seat-dot";
import { cn } from "@/lib/cn";

interface ReplyPanelProps {
  /** What the panel is called. */
  label: string;
  name: string;
  color: string;
  /** Stands under the name. */
  about?: ReactNode;
  /** Shown where the pointer rests on the name. */
  title?: string | undefined;
  /** Stands under the name and what it is about. */
  mark?: ReactNode;
  /** What can be copied once it is whole. */
  text: string;
  /** The reply, where it can be kept in the library. */
  replyId?: string | undefined;
  writing: boolean;
  /** Its last word has come. */
  whole: boolean;
  /** Before and after the buttons that copy. */
  before?: ReactNode;
  after?: ReactNode;
  /** Under the head, in place of its line. */
  bar?: ReactNode;
  footer?: ReactNode;
  foot?: ReactNode;
  heading?: "h2" | "h4";
  className?: string | undefined;
  /** The line around it. */
  line?: string;
  /** How high its text may become. */
  height?: string;
  children: ReactNode;
}

const HEIGHT = "max-h-[clamp(220px,100cqh-310px,460px)] max-sm:max-h-[min(460px,60vh)] min-h-24";

export function ReplyPanel(props: ReplyPanelProps) {
  const { name, text, writing, whole, bar, footer, heading: Heading = "h2" } = props;
  const area = useRef<HTMLDivElement>(null);
  const tail = useFollowTail(area, { growing: writing, whole });
  return (
    <div
      role="group"
      aria-label={props.label}
      className={cn(
        "relative flex min-w-0 flex-col rounded-lg border bg-surface",
        props.line ?? "border-line",
        props.className,
      )}
    >
      <header
        className={cn(
          "flex min-h-10 items-center gap-2 py-0.5 pr-1.5 pl-3.5",
          !bar && "border-b border-line",
        )}
      >
        <SeatDot color={props.color} />
        <div className="min-w-20 flex-1">
          <Heading
            className="text-sm leading-tight font-semibold [overflow-wrap:anywhere]"
            title={props.title}
          >
            {name}
            {props.about && <span className="block text-xs font-normal text-ink-3">{props.about}</span>}
          </Heading>
          {props.mark}
        </div>
        <div className="flex shrink-0 items-center gap-0.5">
          {props.before}
          {text && !writing && <CopyButton text={text} label={`Copy ${name}’s answer`} />}
          {text && !writing && <ReplyMenu name={name} text={text} replyId={props.replyId} />}
          {props.after}
        </div>
      </header>
      {bar}
      <div
        ref={area}
        tabIndex={0}
        role="group"
        aria-label={`Text of ${name}`}
        data-scroll-area
        data-reading
        className={cn("focus-inset flex-1 overflow-y-auto rounded-md px-3.5 py-3", props.height ?? HEIGHT)}
      >
        {props.children}
      </div>
      <JumpButton shown={!tail.atEnd && writing} onJump={tail.jump} />
      {footer && (
        <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-1.5">
          {footer}
        </footer>
      )}
      {props.foot}
    </div>
  );
}
