/** What the person can do without words while rounds run, or between them. */

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { MatchRecord } from "@/api/types";
import type { Given } from "@/features/arena/mode-feature";
import { useGive } from "@/features/arena/use-turn-actions";
import { focusComposer } from "@/lib/focus-composer";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";

/** While rounds run, buttons alone; `hint` says what else can be done while they wait for the person. */
export const Controls = ({ hint, children }: { hint?: string; children: ReactNode }) => (
  <fieldset
    className={
      hint
        ? "flex items-center gap-2 rounded-md border border-line-strong bg-surface px-4 py-2 text-sm"
        : "flex justify-end gap-2"
    }
  >
    <legend className="sr-only">Step in</legend>
    {hint && (
      <p className="min-w-0 flex-1">
        <span className="font-medium">Your turn.</span>{" "}
        <span className="text-ink-2 max-lg:hidden">{hint}</span>
      </p>
    )}
    {children}
  </fieldset>
);

interface ControlProps {
  record: MatchRecord;
  input: Given;
  icon: LucideIcon;
  label: string;
  /** On a phone the icon alone. */
  short?: boolean;
}

export function Control({ record, input, icon: Icon, label, short = false }: ControlProps) {
  const { mutate, isPending } = useGive(record);
  const hovers = useMedia("(hover: hover)");
  const give = () => {
    mutate(input);
    // The button goes away; the focus must not go with it.
    if (hovers) focusComposer();
  };
  return (
    <Button size="sm" title={label} disabled={isPending} onClick={give}>
      <Icon aria-hidden="true" />
      <span className={short ? "max-sm:sr-only" : undefined}>{label}</span>
    </Button>
  );
}
