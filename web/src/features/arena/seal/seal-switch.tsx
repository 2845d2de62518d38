/** The quiet switch in the composer: whether a new session is sealed; in a sealed one, what closes it. */

import { useQueryClient } from "@tanstack/react-query";
import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { sessionKey } from "@/api/queries";
import { chosenPart } from "@/components/chip";
import { cn } from "@/lib/cn";
import { forgetKey, useSealDraft } from "@/lib/seal-keys";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { tooltip } from "@/ui/tooltip";

const SealDialog = chosenPart(() =>
  import("@/features/arena/seal/seal-dialog").then((part) => part.SealDialog),
);

interface SealSwitchProps {
  sessionId: string | null;
  /** The mode's title, and whether it can be played in a sealed session. */
  title: string;
  sealable: boolean;
}

export function SealSwitch({ sessionId, title, sealable }: SealSwitchProps) {
  const drafted = useSealDraft(({ draft }) => draft !== null);
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const why = `${title} can’t be sealed: only Chat and Compare can.`;
  if (sessionId !== null)
    return (
      <Sealed
        label="Close this sealed session"
        hint="This session is sealed. Click to close it: its passkey or passphrase opens it again."
        onClick={() => {
          forgetKey(sessionId);
          client.resetQueries({ queryKey: sessionKey(sessionId) });
        }}
      />
    );
  if (drafted)
    return (
      <Sealed
        label="Sealed"
        hint={`${sealable ? "This session will be sealed." : why} Click to leave it unsealed.`}
        failed={!sealable}
        onClick={() => useSealDraft.setState({ draft: null })}
      />
    );
  return (
    <>
      <IconButton
        size="icon-sm"
        label="Seal this session"
        hint={sealable ? "Seal this session: store it encrypted under a key that only you have." : why}
        side="top"
        aria-disabled={!sealable}
        className={cn(!sealable && "opacity-50")}
        onClick={() => sealable && setAsking(true)}
      >
        <LockOpen />
      </IconButton>
      {asking && <SealDialog onClose={() => setAsking(false)} />}
    </>
  );
}

interface SealedProps {
  label: string;
  hint: string;
  failed?: boolean;
  onClick: () => void;
}

const Sealed = ({ label, hint, failed, onClick }: SealedProps) => (
  <Button
    variant="quiet"
    size="sm"
    aria-label={label}
    aria-pressed="true"
    {...tooltip(hint, "top")}
    className={failed ? "text-bad!" : "text-accent!"}
    onClick={onClick}
  >
    <Lock aria-hidden="true" />
    {failed ? "Can’t be sealed" : "Sealed"}
  </Button>
);
