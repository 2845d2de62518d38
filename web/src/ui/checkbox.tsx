import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** A box to tick, quiet until it is ticked. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return (
    <input
      type="checkbox"
      className={cn(
        "relative size-4 shrink-0 cursor-pointer appearance-none rounded-xs border border-line-strong bg-page transition-colors hover:border-ink-3 checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50",
        "after:absolute after:top-px after:left-[4.5px] after:hidden after:h-[9px] after:w-[5px] after:rotate-45 after:border-r-2 after:border-b-2 after:border-accent-ink checked:after:block",
        "indeterminate:border-accent indeterminate:bg-accent indeterminate:after:top-[6px] indeterminate:after:left-[3px] indeterminate:after:block indeterminate:after:h-0 indeterminate:after:w-2 indeterminate:after:rotate-0 indeterminate:after:border-r-0",
        className,
      )}
      {...props}
    />
  );
}
