import { type ReactNode, useId } from "react";
import { cn } from "@/lib/cn";

interface PanelProps {
  title: ReactNode;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  className?: string;
  /** The content reaches the edges: a table, a list. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page with its heading, on a surface of its own. */
export function Panel({ title, aside, className, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cn("min-w-0 rounded-lg border border-line bg-surface", flush && "overflow-clip", className)}
    >
      <div className={cn("flex items-center gap-3 px-4 pt-3.5", flush ? "pb-3" : "pb-2")}>
        <h2 id={id} className="min-w-0 flex-1 font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {flush ? children : <div className="px-4 pb-4">{children}</div>}
    </section>
  );
}
