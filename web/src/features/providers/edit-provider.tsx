/** A dialog that changes a provider, and adds more of its models. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "@/api/me";
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
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog } from "@/ui/dialog";

export function EditProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const client = useQueryClient();
  const { data } = useQuery(providerListQuery);
  const saved = provider.base_url ?? "";
  const { data: me } = useQuery(meQuery);
  const [values, setValues] = useState({ name: provider.name, address: saved, key: "" });
  const [sharedKey, setSharedKey] = useState(provider.shared_key);
  const [run, setRun] = useState(provider.run);
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
        ...(sharedKey !== provider.shared_key && { shared_key: sharedKey }),
        ...(run !== provider.run && { run }),
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
      if (chosen.length > 0) showToast(`${counted(chosen.length, "model")} added.`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${provider.name}`}
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
          keyPlaceholder={provider.has_key && !moved ? "Saved. Enter a new one to replace it." : undefined}
          keyNote={
            moved && provider.has_key
              ? "The address changed, so enter the key again. The saved key is only sent to its own address."
              : provider.key_variable
                ? `Read from ${provider.key_variable}`
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
        {me?.mode === "shared" && (
          <label className="flex min-h-9 touch:min-h-11 cursor-pointer items-start gap-2.5 text-sm">
            <Checkbox className="mt-0.5" checked={sharedKey} onChange={() => setSharedKey(!sharedKey)} />
            <span>
              People may use this key
              <span className="block text-ink-2">
                Otherwise each needs a key of their own, or of their workspace.
              </span>
            </span>
          </label>
        )}
        {(data?.jobs || provider.run === "job") && (
          <label className="flex min-h-9 touch:min-h-11 cursor-pointer items-start gap-2.5 text-sm">
            <Checkbox
              className="mt-0.5"
              checked={run === "job"}
              onChange={() => setRun(run === "job" ? "process" : "job")}
            />
            <span>
              Run each call as a Kubernetes Job
              <span className="block text-ink-2">
                Calls get a container of their own and start a few seconds later.
              </span>
            </span>
          </label>
        )}
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
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!values.address.trim() || save.isPending}>
            {chosen.length > 0 ? `Add ${counted(chosen.length, "model")}` : "Save"}
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
