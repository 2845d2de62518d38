import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";

/** A one-line text field, with an icon before it where it is a search. */
export function Field({ icon, className, ...props }: ComponentProps<"input"> & { icon?: ReactNode }) {
  return (
    <div className={cn("relative", className)}>
      {icon && (
        <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-3 [&_svg]:size-[14px]">
          {icon}
        </span>
      )}
      <input
        className={cn(
          "focus-inset h-8 touch:h-11 w-full rounded-sm border border-line bg-page px-2.5 text-sm text-ink placeholder:text-ink-3 hover:border-line-strong",
          icon && "pl-8",
        )}
        {...props}
      />
    </div>
  );
}
