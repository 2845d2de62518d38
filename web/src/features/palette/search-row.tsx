import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Kbd } from "@/ui/kbd";

/** The line in which the palette is searched. */
export function SearchRow({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      {children}
      <Kbd>Esc</Kbd>
    </div>
  );
}

export const SEARCH_FIELD = "h-12 w-full bg-transparent text-md outline-none";
