import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { preferencesQuery } from "@/api/preferences";
import { modelsQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";
import { AUTO } from "@/features/auto/auto-words";

/**
 * The model that the composer will ask: the one just chosen, else the one in the address, else the one that
 * sits in the match, else the default one of new chats, else the last one used, else the first that is enabled.
 */
export function useChatModel(wanted: string | undefined, seated: string | undefined) {
  const { data: models } = useQuery(modelsQuery);
  const { data: preferences, isPending } = useQuery(preferencesQuery);
  const last = useComposer((state) => state.model);
  const setModel = useComposer((state) => state.setModel);
  const [choice, setChoice] = useState<{ id: string; at: string } | null>(null);
  const context = `${wanted}/${seated}`;
  const usable = (id: string | null | undefined) => models?.some((model) => model.id === id && model.enabled);
  // Auto goes on from turn to turn until a model is chosen by hand.
  if (last === AUTO && !wanted && models) {
    return {
      model: AUTO,
      instructions: isPending ? undefined : (preferences?.instructions ?? null),
      choose: setModel,
    };
  }
  const candidates = [choice?.at === context ? choice.id : null, wanted, seated, preferences?.model, last];
  const model = candidates.find(usable) ?? models?.find((each) => each.enabled)?.id ?? null;
  return {
    model,
    instructions: isPending ? undefined : (preferences?.instructions ?? null),
    choose: (id: string) => {
      setChoice(id === AUTO ? null : { id, at: context });
      setModel(id);
    },
  };
}
