/** A part that is folded until the reader wants it. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/lib/cn";

interface DisclosureProps {
  label: ReactNode;
  /** Stands at the right of the label. */
  aside?: ReactNode;
  className?: string;
  /** Open at first. */
  unfolded?: boolean;
  children: ReactNode;
}

export function Disclosure({ label, aside, className, unfolded = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(unfolded);
  return (
    <div className={cn("rounded-md border border-line text-sm", className)}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="focus-inset flex w-full touch:min-h-11 items-center gap-1.5 rounded-md px-2.5 py-1.5 text-left text-ink-2 hover:text-ink"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn("size-3.5 shrink-0 transition-transform", open && "rotate-90")}
        />
        {label}
        {aside && <span className="ml-auto truncate pl-3 text-xs text-ink-3">{aside}</span>}
      </button>
      {open && <div className="quiet-text animate-fade-in border-t border-line px-3 py-2.5">{children}</div>}
    </div>
  );
}
