/** Another way on from within a chat: the same place, another question or another model. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import type { MatchView, SeatSettings, TurnView } from "@/api/types";
import type { Stored } from "@/features/arena/attachments/uploads";
import { setupKey, useComposer } from "@/features/arena/composer-store";
import { named } from "@/features/arena/inputs";
import { lastBefore, saysSomething } from "@/features/chat/plan";
import { fitting } from "@/features/lineup/seat-settings";
import { showToast } from "@/lib/toast-store";
import { useTurns } from "@/turn/turns-context";

interface Asked {
  prompt: string;
  /** Left out, those of the turn. */
  files?: readonly Stored[];
  /** Another model; left out, the one that is asked now. */
  model?: string;
}

export function useBranch(match: MatchView, turn: TurnView, before: string | undefined) {
  const turns = useTurns();
  const client = useQueryClient();
  const seat = match.seats[0];
  return useMutation({
    mutationFn: ({ prompt, files, model }: Asked) => {
      const from = lastBefore(seat, before);
      // Settings chosen since are of the whole chat.
      const chosen = useComposer.getState().setups[setupKey(match.mode, turn.session_id)];
      const settings = (chosen as SeatSettings | undefined) ?? seat?.settings ?? null;
      // A model that is gone, such as that of an imported answer, can't be asked: the one used last is.
      const models = client.getQueryData(modelsQuery.queryKey);
      const usable = (id: string | null | undefined) =>
        models?.some((each) => each.id === id && each.enabled);
      const last = [seat?.model?.id, useComposer.getState().model].find(usable);
      const asked = model ?? last ?? models?.find((each) => each.enabled)?.id;
      const own = fitting(settings, asked ?? null, models);
      return turns.start(`/api/sessions/${turn.session_id}/matches`, {
        mode: match.mode,
        prompt,
        ...(turn.input.type === "prompt" && { attachments: named(files ?? turn.input.attachments) }),
        brief: match.brief,
        ...(seat && asked && { seats: { [seat.name]: asked } }),
        ...(seat && own && saysSomething(own) && { seat_settings: { [seat.name]: own } }),
        ...(from && { continue_from: from }),
      });
    },
    onError: (error) => {
      const { message, detail } = asApiError(error);
      showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
    },
  });
}
