import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

/** A key. Decoration only: the control that it belongs to says what it does. */
export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      aria-hidden="true"
      className={cn(
        "inline-flex h-[17px] min-w-[17px] items-center justify-center rounded-xs border border-b-2 border-line-strong px-1 font-mono text-[10.5px] leading-none text-ink-3",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
