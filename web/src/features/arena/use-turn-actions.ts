/** What can be done with a turn that was begun: stop it, ask again, draw again. */
import { useMutation } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { interject, stopTurn } from "@/api/requests";
import type { MatchRecord, MatchView, TurnView } from "@/api/types";
import { named } from "@/features/arena/inputs";
import type { Given } from "@/features/arena/mode-feature";
import { showToast } from "@/lib/toast-store";
import { isUnfinished } from "@/turn/reduce-turn";
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

/** Give a mode something without the composer: the turn that runs hears it, else it begins the next one. */
export function useGive({ match, turns: list }: MatchRecord) {
  const turns = useTurns();
  const turn = list.at(-1);
  return useMutation({
    mutationFn: async (input: Given) => {
      if (turn && isUnfinished(turn.status)) await interject(turn.id, input);
      else await turns.start(`/api/matches/${match.id}/turns`, { input });
    },
    onError: complain,
  });
}

/** Ask the same of newly drawn models, as a new match of the session. */
export function useDrawAgain({ mode, brief }: Pick<MatchView, "mode" | "brief">) {
  const turns = useTurns();
  return useMutation({
    mutationFn: ({ session_id, input }: TurnView) =>
      turns.start(`/api/sessions/${session_id}/matches`, {
        mode,
        brief,
        ...(input.type === "prompt" && { prompt: input.text, attachments: named(input.attachments) }),
      }),
    onError: complain,
  });
}
