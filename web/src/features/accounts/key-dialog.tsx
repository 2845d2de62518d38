/** Makes an API key, and shows its secret once. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type KeyScope, keysQuery, makeKey } from "@/api/keys";
import { modelsQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { EntranceForm } from "@/features/accounts/entrance";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const DAYS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Never" },
];

export function KeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [models, setModels] = useState<readonly string[]>([]);
  const [scopes, setScopes] = useState<readonly KeyScope[]>(["chat", "embeddings", "images"]);
  const make = useMutation({
    mutationFn: () =>
      makeKey({
        name,
        days: days ? Number(days) : null,
        models: models.length > 0 ? [...models] : null,
        scopes: [...scopes],
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (make.data) return <Secret secret={make.data.secret} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New API key" titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit="Make key"
          busy={make.isPending || scopes.length === 0}
          error={make.error}
          onSubmit={() => make.mutate()}
        >
          <div className="grid grid-cols-2 gap-3">
            <Labelled label="Name">
              {(id) => (
                <Field
                  id={id}
                  required
                  maxLength={64}
                  placeholder="Editor on my laptop"
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Labelled>
            <Labelled label="Expires in">
              {(id) => <Select id={id} value={days} options={DAYS} onChange={setDays} />}
            </Labelled>
          </div>
          <Scopes chosen={scopes} onChange={setScopes} />
          <Models chosen={models} onChange={setModels} />
        </EntranceForm>
      </div>
    </Dialog>
  );
}

const SCOPES: readonly { scope: KeyScope; label: string }[] = [
  { scope: "chat", label: "Chats" },
  { scope: "embeddings", label: "Embeddings" },
  { scope: "images", label: "Pictures" },
  { scope: "read", label: "Leaderboard" },
];

interface ScopesProps {
  chosen: readonly KeyScope[];
  onChange: (scopes: readonly KeyScope[]) => void;
}

/** What a key may be used for. */
function Scopes({ chosen, onChange }: ScopesProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">Allowed</legend>
      <div className="flex flex-wrap gap-x-4">
        {SCOPES.map(({ scope, label }) => (
          <label
            key={scope}
            className="flex min-h-9 touch:min-h-11 cursor-pointer items-center gap-2 text-sm"
          >
            <Checkbox
              checked={chosen.includes(scope)}
              onChange={() =>
                onChange(chosen.includes(scope) ? chosen.filter((it) => it !== scope) : [...chosen, scope])
              }
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ModelsProps {
  chosen: readonly string[];
  onChange: (models: readonly string[]) => void;
}

/** The models that a key may use; with none chosen, all. */
function Models({ chosen, onChange }: ModelsProps) {
  const { data } = useQuery(modelsQuery);
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id]);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <p className="text-sm text-ink-2">
        {chosen.length === 0 ? "All models. Choose some to allow only these." : `Only ${chosen.length}.`}
      </p>
      <div className="max-h-44 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {data
          ?.filter((model) => model.enabled)
          .map((model) => (
            <label
              key={model.id}
              className="flex min-h-9 touch:min-h-11 cursor-pointer items-center gap-2.5 px-3 py-1.5 text-sm"
            >
              <Checkbox
                checked={chosen.includes(lastingId(model))}
                onChange={() => toggle(lastingId(model))}
              />
              <span className="min-w-0 truncate">{model.name}</span>
            </label>
          ))}
      </div>
    </fieldset>
  );
}

/** The id that a preset keeps when it is changed. */
export function lastingId(model: Pick<ModelCard, "id" | "kind">): string {
  return model.kind === "ensemble" ? model.id.replace(/-r\d+$/, "") : model.id;
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New API key" titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <p className="text-sm text-ink-2">Copy this key now. It is not shown again.</p>
        <div className="flex items-center gap-2">
          <Field
            aria-label="API key"
            readOnly
            className="min-w-0 flex-1 font-mono"
            value={secret}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={secret} label="Copy key" />
        </div>
        <Button className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
