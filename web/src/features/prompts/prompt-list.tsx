/** The prompts that a draft such as "/rev" means; the composer keeps the focus. */

import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { matching } from "@/features/prompts/placeholders";
import { promptsQuery } from "@/features/prompts/prompts-api";
import { cn } from "@/lib/cn";

/** Takes a key that was pressed in the composer; false where it means nothing here. */
export type TakeKey = (key: string) => boolean;

interface PromptListProps {
  wanted: string;
  keys: RefObject<TakeKey | null>;
  onChoose: (text: string) => void;
}

const SHOWN = 8;

export function PromptList({ wanted, keys, onChoose }: PromptListProps) {
  const { data = [] } = useQuery(promptsQuery);
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState(false);
  const found = matching(data, wanted).slice(0, SHOWN);
  const lit = Math.min(at, found.length - 1);
  const open = found.length > 0 && !closed;
  useEffect(() => {
    keys.current = (key) => {
      if (!open) return false;
      if (key === "ArrowDown") setAt((lit + 1) % found.length);
      else if (key === "ArrowUp") setAt((lit + found.length - 1) % found.length);
      else if (key === "Escape") setClosed(true);
      else if (key === "Enter" || key === "Tab") onChoose(found[lit]?.text ?? "");
      else return false;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });
  if (!open) return null;
  return (
    <div className="rounded-lg border border-line-strong bg-surface p-1.5 shadow-lift">
      <p role="status" className="sr-only">
        {found.length} prompts. {found[lit]?.name ?? ""}. Press Enter to insert.
      </p>
      <ul aria-label="Prompts">
        {found.map(({ id, name, text }, index) => (
          <li key={id}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Insert “${name}”`}
              data-lit={index === lit || undefined}
              // The composer keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setAt(index)}
              onClick={() => onChoose(text)}
              className={cn(
                "flex min-h-9 touch:min-h-11 w-full items-baseline gap-3 rounded-md px-3 py-1.5 text-left text-sm",
                index === lit && "bg-raised",
              )}
            >
              <span className="shrink-0 font-medium">{name}</span>
              <span className="min-w-0 truncate text-ink-3">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
