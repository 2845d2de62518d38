import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";

/**
 * The model that the composer will ask: the one just chosen, else the one in the address, else the one that
 * sits in the match, else the last one used, else the first that is enabled.
 */
export function useChatModel(wanted: string | undefined, seated: string | undefined) {
  const { data: models } = useQuery(modelsQuery);
  const last = useComposer((state) => state.model);
  const setModel = useComposer((state) => state.setModel);
  const [choice, setChoice] = useState<{ id: string; at: string } | null>(null);
  const context = `${wanted}/${seated}`;
  const usable = (id: string | null | undefined) => models?.some((model) => model.id === id && model.enabled);
  const candidates = [choice?.at === context ? choice.id : null, wanted, seated, last];
  const model = candidates.find(usable) ?? models?.find((each) => each.enabled)?.id ?? null;
  return {
    model,
    choose: (id: string) => {
      setChoice({ id, at: context });
      setModel(id);
    },
  };
}
