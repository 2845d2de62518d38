/** What can be done with a turn that was begun: stop it, ask again, draw again. */
import { useMutation } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { stopTurn } from "@/api/requests";
import type { TurnView } from "@/api/types";
import { named } from "@/features/arena/inputs";
import { showToast } from "@/lib/toast-store";
import { useTurns } from "@/turn/turns-context";

const complain = (error: unknown) => {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
};

export const useStop = () =>
  useMutation({ mutationFn: (turn: TurnView) => stopTurn(turn.id), onError: complain });

/** Stop what one seat is saying; the others go on. */
export const useStopSeat = () =>
  useMutation({
    mutationFn: ({ turn, seat }: { turn: TurnView; seat: string }) => stopTurn(turn.id, seat),
    onError: complain,
  });

/** Ask again only what is not completed; what is finished stays. */
export function useRetry() {
  const turns = useTurns();
  return useMutation({
    mutationFn: (turn: TurnView) => turns.start(`/api/turns/${turn.id}/retry`, undefined),
    onError: complain,
  });
}

/** Ask one seat again, whatever it has said; the others stay as they are. */
export function useRetrySeat() {
  const turns = useTurns();
  return useMutation({
    mutationFn: ({ turn, seat }: { turn: TurnView; seat: string }) =>
      turns.start(`/api/turns/${turn.id}/retry`, { seat }),
    onError: complain,
  });
}

/** Ask the same of newly drawn models, as a new match of the session. */
export function useDrawAgain(mode: string) {
  const turns = useTurns();
  return useMutation({
    mutationFn: ({ session_id, input }: TurnView) =>
      turns.start(`/api/sessions/${session_id}/matches`, {
        mode,
        ...(input.type === "prompt" && { prompt: input.text, attachments: named(input.attachments) }),
      }),
    onError: complain,
  });
}
