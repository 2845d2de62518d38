/** A model's name, how long its answers may be used again, and who answers where it does not. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { changeModel, refreshCatalog } from "@/api/providers";
import { modelsQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { STRINGS } from "@/features/providers/strings";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const HOUR_S = 3600;
const CACHE_TIMES = [
  { value: "", label: STRINGS.never },
  { value: `${HOUR_S}`, label: STRINGS.forAnHour },
  { value: `${24 * HOUR_S}`, label: STRINGS.forADay },
  { value: `${30 * 24 * HOUR_S}`, label: STRINGS.forAMonth },
];

export function EditModel({ model, onClose }: { model: ModelCard; onClose: () => void }) {
  const [name, setName] = useState(model.name);
  const [cache, setCache] = useState(model.cache_s ? `${model.cache_s}` : "");
  const [fallback, setFallback] = useState(model.fallback ?? "");
  const { data: models } = useQuery(modelsQuery);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      changeModel(model.id, {
        name: name.trim(),
        cache_s: cache ? Number(cache) : null,
        fallback: fallback || null,
      }),
    onSuccess: async () => {
      await refreshCatalog(client);
      onClose();
    },
  });
  const others = models?.filter((each) => each.kind === "single" && each.id !== model.id) ?? [];
  const times = CACHE_TIMES.some(({ value }) => value === cache)
    ? CACHE_TIMES
    : [...CACHE_TIMES, { value: cache, label: STRINGS.forSeconds(cache) }];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={STRINGS.editModel(model.name)} titled>
      <form
        className="flex flex-col gap-4 px-5 pt-2 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Labelled label={STRINGS.name}>
          {(id) => (
            <Field id={id} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
          )}
        </Labelled>
        <Labelled label={STRINGS.useAgain} hint={STRINGS.useAgainHint}>
          {(id) => <Select id={id} value={cache} options={times} onChange={setCache} />}
        </Labelled>
        <Labelled label={STRINGS.ifNoAnswer} hint={STRINGS.ifNoAnswerHint}>
          {(id) => (
            <Select
              id={id}
              value={fallback}
              options={[
                { value: "", label: STRINGS.sayNoAnswer },
                ...others.map((each) => ({ value: each.id, label: each.name })),
              ]}
              onChange={setFallback}
            />
          )}
        </Labelled>
        {save.error && (
          <p role="alert" className="text-sm text-bad">
            {asApiError(save.error).message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{STRINGS.cancel}</Button>
          <Button type="submit" variant="primary" disabled={!name.trim() || save.isPending}>
            {STRINGS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
