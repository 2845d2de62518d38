/** What a model thought before it answered: folded, with how long it took. */

import { Brain, ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { ReplyView } from "@/api/types";
import { Markdown } from "@/components/markdown/markdown";
import { cn } from "@/lib/cn";

export function Reasoning({ reply, running }: { reply: ReplyView; running: boolean }) {
  const [open, setOpen] = useState(false);
  const thinking = running && reply.text === "" && reply.reasoning !== "";
  const seconds = useSeconds(thinking);
  if (reply.reasoning === "") return null;
  const label = thinking
    ? `Thinking… ${seconds} s`
    : seconds > 0
      ? `Thought for ${seconds} s`
      : "Thought before answering";
  return (
    <div className="mb-3 rounded-md border border-line text-sm">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="focus-inset flex w-full items-center gap-2 rounded-md px-3 py-2 text-left text-ink-2 hover:text-ink"
      >
        <Brain aria-hidden="true" className={cn("size-[15px]", thinking && "animate-shimmer")} />
        <span className="num">{label}</span>
        <ChevronRight
          aria-hidden="true"
          className={cn("ml-auto size-4 transition-transform", open && "rotate-90")}
        />
      </button>
      {open && (
        <div className="animate-fade-in border-t border-line px-3 py-2.5 text-ink-2 [&_.reading]:text-sm">
          <Markdown text={reply.reasoning} writing={thinking} />
        </div>
      )}
    </div>
  );
}

/** Whole seconds since this began, counted while it is on and kept afterwards. */
function useSeconds(on: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!on) return;
    const began = Date.now();
    const timer = setInterval(() => setSeconds(Math.max(1, Math.round((Date.now() - began) / 1000))), 500);
    return () => clearInterval(timer);
  }, [on]);
  return seconds;
}
