/** How the answers are shown: scrolled together, as plain text, or two of them word by word. */

import { ArrowUpDown, Code, FileDiff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { lazyPart } from "@/components/lazy-part";
import type { Contender } from "@/features/compare/turn-facts";
import type { ViewOptions } from "@/features/compare/view-options";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Skeleton } from "@/ui/skeleton";

const Differences = lazyPart(
  () => import("@/features/compare/differences").then((part) => part.Differences),
  <Skeleton className="m-5 h-40" />,
);

interface ViewBarProps {
  view: ViewOptions;
  onView: (part: Partial<ViewOptions>) => void;
  /** Those whose answers are whole. */
  contenders: readonly Contender[];
  running: boolean;
}

export function ViewBar({ view, onView, contenders, running }: ViewBarProps) {
  const [comparing, setComparing] = useState(false);
  if (running || contenders.length < 2) return null;
  return (
    <div className="-ml-2 flex flex-wrap gap-1">
      {view.focused === null && (
        <Toggle on={view.synced} onClick={() => onView({ synced: !view.synced })}>
          <ArrowUpDown aria-hidden="true" />
          Sync scroll
        </Toggle>
      )}
      <Toggle on={view.raw} onClick={() => onView({ raw: !view.raw })}>
        <Code aria-hidden="true" />
        Plain text
      </Toggle>
      <Button variant="quiet" size="sm" className="text-ink-3" onClick={() => setComparing(true)}>
        <FileDiff aria-hidden="true" />
        Differences
      </Button>
      <Dialog
        open={comparing}
        onOpenChange={setComparing}
        title="Differences"
        titled
        className="top-[6vh] flex max-h-[88vh] w-[min(1100px,calc(100vw-24px))] flex-col"
      >
        <Differences contenders={contenders} />
      </Dialog>
    </div>
  );
}

function Toggle({ on, onClick, children }: { on: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Button
      variant="quiet"
      size="sm"
      className="text-ink-3 aria-pressed:text-accent"
      aria-pressed={on}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
