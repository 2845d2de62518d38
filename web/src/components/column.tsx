import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

interface ColumnProps {
  /** A column to read, or one as wide as a table needs it. */
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

/** A page's column, of one of two widths, in the middle of what room there is. */
export function Column({ wide = false, className, children }: ColumnProps) {
  return (
    <div className="flex w-full shrink-0 grow justify-center px-3 has-[>:empty]:hidden sm:px-5">
      <div
        data-column
        className={cn("w-full min-w-0", wide ? "max-w-page" : "min-[861px]:max-w-read", className)}
      >
        {children}
      </div>
    </div>
  );
}
