/** The quiet switch in the composer of a new session: whether it is sealed. */

import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { chosenPart } from "@/components/chip";
import { cn } from "@/lib/cn";
import { useSealDraft } from "@/lib/seal-keys";
import { IconButton } from "@/ui/icon-button";

const SealDialog = chosenPart(() =>
  import("@/features/arena/seal/seal-dialog").then((part) => part.SealDialog),
);

interface SealSwitchProps {
  /** The mode's title, and whether it can be played in a sealed session. */
  title: string;
  sealable: boolean;
}

export function SealSwitch({ title, sealable }: SealSwitchProps) {
  const on = useSealDraft(({ draft }) => draft !== null);
  const [asking, setAsking] = useState(false);
  const why = `${title} can’t be sealed: only Chat and Compare can.`;
  const hint = on
    ? sealable
      ? "This session will be sealed. Click to leave it unsealed."
      : `${why} Click to leave it unsealed.`
    : sealable
      ? "Seal this session: it is stored encrypted under a key that only you have."
      : why;
  return (
    <>
      <IconButton
        size="icon-sm"
        label={on ? "Sealed" : "Seal this session"}
        hint={hint}
        side="top"
        aria-pressed={on}
        aria-disabled={!on && !sealable}
        className={cn(on && (sealable ? "text-accent" : "text-bad"), !on && !sealable && "opacity-50")}
        onClick={() => {
          if (on) useSealDraft.setState({ draft: null });
          else if (sealable) setAsking(true);
        }}
      >
        {on ? <Lock /> : <LockOpen />}
      </IconButton>
      {asking && <SealDialog onClose={() => setAsking(false)} />}
    </>
  );
}
