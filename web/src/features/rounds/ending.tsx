/** What a turn says that ended before its time, and the button that takes it up again. */

import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { useMayWrite } from "@/api/permissions";
import type { TurnView } from "@/api/types";
import { Notice } from "@/features/arena/notice";
import { useRetry } from "@/features/arena/use-turn-actions";
import { Button } from "@/ui/button";

interface RetryProps {
  turn: TurnView;
  label?: "Retry" | "Resume";
  variant?: "primary";
}

export function RetryTurn({ turn, label = "Retry", variant }: RetryProps) {
  const retry = useRetry();
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  return (
    <Button
      size="sm"
      {...(variant && { variant })}
      disabled={retry.isPending}
      onClick={() => retry.mutate(turn)}
    >
      <RotateCcw aria-hidden="true" />
      {label}
    </Button>
  );
}

interface EndedEarlyProps {
  turn: TurnView;
  /** Sentences of the mode, such as "Answers stopped." */
  stopped: string;
  failed: string;
  saved: string;
  /** A problem is read out. */
  alert?: boolean;
  /** What the person can do. */
  children: ReactNode;
}

export function EndedEarly({ turn, stopped, failed, saved, alert = true, children }: EndedEarlyProps) {
  if (turn.status === "stopped")
    return (
      <Notice title={stopped} detail={saved}>
        {children}
      </Notice>
    );
  if (turn.status !== "failed") return null;
  return (
    <Notice tone="bad" alert={alert} title={turn.error?.title ?? failed} detail={turn.error?.detail ?? saved}>
      {children}
    </Notice>
  );
}
