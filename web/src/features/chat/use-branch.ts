/** Another way on from within a chat: the same place, another question or another model. */
import { useMutation } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import type { MatchView, TurnView } from "@/api/types";
import { named } from "@/features/arena/inputs";
import { lastBefore } from "@/features/chat/plan";
import { showToast } from "@/lib/toast-store";
import { useTurns } from "@/turn/turns-context";

interface Asked {
  prompt: string;
  /** Another model; left out, the one that is asked now. */
  model?: string;
}

export function useBranch(match: MatchView, turn: TurnView, before: string | undefined) {
  const turns = useTurns();
  const seat = match.seats[0];
  return useMutation({
    mutationFn: ({ prompt, model }: Asked) => {
      const from = lastBefore(seat, before);
      const asked = model ?? seat?.model?.id;
      return turns.start(`/api/sessions/${turn.session_id}/matches`, {
        mode: match.mode,
        prompt,
        ...(turn.input.type === "prompt" && { attachments: named(turn.input.attachments) }),
        brief: match.brief,
        ...(seat && asked && { seats: { [seat.name]: asked } }),
        ...(seat?.settings && { seat_settings: { [seat.name]: seat.settings } }),
        ...(from && { continue_from: from }),
      });
    },
    onError: (error) => {
      const { message, detail } = asApiError(error);
      showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
    },
  });
}
