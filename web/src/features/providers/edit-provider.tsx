/** A dialog that changes a provider, and adds more of its models. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import {
  addModels,
  asAdded,
  changeProvider,
  type Offer,
  type Provider,
  providerListQuery,
  refreshCatalog,
} from "@/api/providers";
import { Connection } from "@/features/providers/connection";
import { ModelChoice } from "@/features/providers/model-choice";
import { STRINGS } from "@/features/providers/strings";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

export function EditProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const client = useQueryClient();
  const { data } = useQuery(providerListQuery);
  const saved = provider.base_url ?? "";
  const [values, setValues] = useState({ name: provider.name, address: saved, key: "" });
  const [offer, setOffer] = useState<Offer | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [battle, setBattle] = useState(true);
  const moved = originOf(values.address) !== originOf(saved);
  const same = values.address.trim() === saved && !values.key;
  const known = data?.known.find((each) => originOf(each.base_url ?? "") === originOf(saved));
  const chosen = offer?.models.filter((model) => ticked.has(model.model)) ?? [];
  const save = useMutation({
    mutationFn: async () => {
      await changeProvider(provider.id, {
        name: values.name.trim() || null,
        base_url: values.address.trim(),
        ...(values.key && { api_key: values.key }),
      });
      if (chosen.length > 0) {
        await addModels(
          provider.id,
          chosen.map((model) => asAdded(model, battle)),
        );
      }
    },
    onSuccess: async () => {
      await refreshCatalog(client);
      if (chosen.length > 0) showToast(STRINGS.addedModels(chosen.length));
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={STRINGS.editProvider(provider.name)}
      titled
      className="flex flex-col overflow-y-auto"
    >
      <form
        className="flex flex-col gap-4 px-5 pt-3 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Connection
          known={known}
          values={values}
          onChange={setValues}
          keyPlaceholder={provider.has_key && !moved ? STRINGS.keySaved : undefined}
          keyNote={
            moved && provider.has_key
              ? STRINGS.keyAgain
              : provider.key_variable
                ? STRINGS.keyFrom(provider.key_variable)
                : undefined
          }
          request={() =>
            same
              ? { provider_id: provider.id }
              : { base_url: values.address.trim(), api_key: values.key || null }
          }
          onOffer={(found) => {
            setOffer(found);
            setTicked(new Set());
          }}
        />
        {offer && offer.models.length > 0 && (
          <ModelChoice
            offer={offer}
            ticked={ticked}
            onTicked={setTicked}
            battle={battle}
            onBattle={setBattle}
          />
        )}
        {save.error && (
          <p role="alert" className="text-sm text-bad">
            {asApiError(save.error).message} {asApiError(save.error).detail}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{STRINGS.cancel}</Button>
          <Button type="submit" variant="primary" disabled={!values.address.trim() || save.isPending}>
            {chosen.length > 0 ? STRINGS.addCount(chosen.length) : STRINGS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return address;
  }
}
