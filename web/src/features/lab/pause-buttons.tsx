/** Pauses or cancels what is running. */

import type { UseMutationResult } from "@tanstack/react-query";
import { Pause } from "lucide-react";
import { Button } from "@/ui/button";

type Act = Pick<UseMutationResult<unknown, unknown, void>, "isPending" | "mutate">;

export const PauseButtons = ({ pause, cancel }: { pause: Act; cancel: Act }) => (
  <>
    <Button disabled={pause.isPending} onClick={() => pause.mutate()}>
      <Pause aria-hidden="true" />
      Pause
    </Button>
    <Button variant="quiet" className="text-bad" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  </>
);
