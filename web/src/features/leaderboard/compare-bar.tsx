/** Rises once a row is ticked: two of them can be held against each other. */

import { useNavigate } from "@tanstack/react-router";
import { ArrowRight, X } from "lucide-react";
import type { LeaderboardLine } from "@/api/standings-types";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Kbd } from "@/ui/kbd";

interface CompareBarProps {
  picked: readonly string[];
  lines: readonly LeaderboardLine[];
  onClear: () => void;
}

export function CompareBar({ picked, lines, onClear }: CompareBarProps) {
  const navigate = useNavigate();
  const [a, b] = picked;
  const compare = () => a && b && navigate({ to: "/head-to-head/$a/$b", params: { a, b } });
  useHotkeys(
    { c: compare, Escape: onClear },
    (event) => picked.length > 0 && !typing(event.target) && !overlayOpen(),
  );
  if (!a) return null;
  const name = (id: string) => lines.find((line) => line.model.id === id)?.model.name ?? id;
  return (
    <div className="pointer-events-none sticky bottom-3 z-20 flex justify-center">
      <section
        aria-label="Head-to-head"
        className="pointer-events-auto flex max-w-full animate-slide-in items-center gap-3 rounded-md border border-line-strong bg-raised py-2 pr-2 pl-4 text-sm shadow-lift"
      >
        <p className="min-w-0 leading-tight [overflow-wrap:anywhere]">
          <span className="font-medium">{name(a)}</span>
          <span className="text-ink-2">{b ? " vs. " : ": select a second model"}</span>
          {b && <span className="font-medium">{name(b)}</span>}
        </p>
        {b && (
          <Button variant="primary" onClick={compare}>
            Show head-to-head
            <ArrowRight aria-hidden="true" />
            <Kbd inverse className="max-sm:hidden">
              C
            </Kbd>
          </Button>
        )}
        <IconButton label="Clear selection" size="icon-sm" onClick={onClear}>
          <X />
        </IconButton>
      </section>
    </div>
  );
}
