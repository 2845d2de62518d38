/** The state of a run, in a word with its icon. */

import { Ban, Check, CircleDollarSign, LoaderCircle, Pause, TriangleAlert } from "lucide-react";
import type { Run } from "@/features/lab/lab-api";
import { cn } from "@/lib/cn";

const LOOKS = {
  running: { icon: LoaderCircle, label: "Running", look: "text-accent" },
  paused: { icon: Pause, label: "Paused", look: "text-ink-2" },
  completed: { icon: Check, label: "Completed", look: "text-good" },
  capped: { icon: CircleDollarSign, label: "Stopped at the cap", look: "text-gold" },
  cancelled: { icon: Ban, label: "Cancelled", look: "text-ink-3" },
  failed: { icon: TriangleAlert, label: "Failed", look: "text-bad" },
} as const;

export function StatusMark({ status }: { status: Run["status"] }) {
  const { icon: Icon, label, look } = LOOKS[status];
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1.5 rounded-sm border border-line px-1.5 py-px text-xs",
        look,
      )}
    >
      <Icon aria-hidden="true" className={cn("size-3", status === "running" && "motion-safe:animate-spin")} />
      {label}
    </span>
  );
}
