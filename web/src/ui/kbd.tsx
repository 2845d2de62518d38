import { type ReactNode, useEffect } from "react";
import { cn } from "@/lib/cn";

interface KbdProps {
  children: ReactNode;
  /** On a filled button the key takes the button's own colour. */
  inverse?: boolean;
  /** A key that two controls show is shown by the one that owns it, not by the one that yields. */
  owns?: string;
  yields?: string;
  className?: string;
}

/** A key. Decoration only: the control that it belongs to says what it does. */
export function Kbd({ children, inverse = false, owns, yields, className }: KbdProps) {
  useEffect(() => {
    if (!owns) return;
    document.body.dataset.owned = owns;
    return () => {
      delete document.body.dataset.owned;
    };
  }, [owns]);
  return (
    <span
      aria-hidden="true"
      data-yields={yields}
      className={cn(
        "inline-flex h-[17px] min-w-[17px] items-center justify-center rounded-xs border border-b-2 px-1 font-mono text-[10.5px] leading-none pointer-coarse:hidden",
        inverse ? "border-current/40 text-current" : "border-line-strong text-ink-3",
        className,
      )}
    >
      {children}
    </span>
  );
}
