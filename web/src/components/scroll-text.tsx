import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

interface ScrollTextProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Text with fixed line breaks that may be wider than its place; it scrolls by keyboard too. */
export function ScrollText({ label, className, children }: ScrollTextProps) {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      data-scroll-area
      className={cn("focus-inset overflow-x-auto rounded-md", className)}
    >
      <pre>{children}</pre>
    </div>
  );
}
