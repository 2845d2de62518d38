/** A dialog that adds a provider: which one, its address and key, a test, and its models. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Search } from "lucide-react";
import { useState } from "react";
import { plugInsQuery } from "@/api/plug-ins";
import { asApiError } from "@/api/problem";
import {
  addProvider,
  asAdded,
  type KnownProvider,
  type Offer,
  providerListQuery,
  refreshCatalog,
} from "@/api/providers";
import { Connection } from "@/features/providers/connection";
import { ModelChoice } from "@/features/providers/model-choice";
import { knownAs, withPresets } from "@/features/providers/presets";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

interface AddProviderProps {
  /** What is known already: the provider, its address, the variable that has its key. */
  start: { known?: string; address?: string; variable?: string };
  onClose: () => void;
}

export function AddProvider({ start, onClose }: AddProviderProps) {
  const { data, error } = useQuery(providerListQuery);
  const [chosen, setChosen] = useState(start.known);
  const [choosing, setChoosing] = useState(!start.known);
  const { data: plugIns } = useQuery(plugInsQuery);
  const all = data && withPresets(data.known, plugIns);
  const known = all?.find((each) => each.id === chosen);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={known && !choosing && known.id !== "custom" ? `Add ${known.name}` : "Add provider"}
      titled
      className="flex flex-col overflow-y-auto"
    >
      {error && !data && <p className="p-5 text-sm text-bad">{asApiError(error).message}</p>}
      {!data && !error && <Skeleton className="m-5 h-48" />}
      {all && (choosing || !known) && (
        <Choice
          known={all}
          onChoose={(id) => {
            setChosen(id);
            setChoosing(false);
          }}
        />
      )}
      {data && known && (
        // What was typed waits while another is looked for.
        <div hidden={choosing}>
          <Details
            key={known.id}
            known={known}
            start={start}
            onBack={() => setChoosing(true)}
            onClose={onClose}
          />
        </div>
      )}
    </Dialog>
  );
}

function Choice({ known, onChoose }: { known: KnownProvider[]; onChoose: (id: string) => void }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const fits = known.filter((each) => `${each.name} ${each.note ?? ""}`.toLowerCase().includes(wanted));
  const groups = [
    { title: "On this computer", list: fits.filter((each) => each.local) },
    { title: "Hosted", list: fits.filter((each) => !each.local) },
  ];
  return (
    <div className="flex min-h-0 flex-col gap-3 px-5 pt-3 pb-5">
      <Field
        type="search"
        aria-label="Choose a provider"
        placeholder="Search providers…"
        icon={<Search />}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {fits.length === 0 && (
        <p className="py-4 text-sm text-ink-2">
          No results for “{search}”. Choose “Another server” to enter an address.
        </p>
      )}
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <section key={title} aria-label={title}>
            <h3 className="pb-1.5 text-xs font-medium text-ink-3">{title}</h3>
            <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
              {list.map((each) => (
                <li key={each.id}>
                  <Button className="w-full justify-start! truncate" onClick={() => onChoose(each.id)}>
                    <span className="truncate">{each.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}

interface DetailsProps extends AddProviderProps {
  known: KnownProvider;
  onBack: () => void;
}

function Details({ known, start, onBack, onClose }: DetailsProps) {
  const client = useQueryClient();
  const [name, setName] = useState(known.id === "custom" ? "" : known.name);
  const [address, setAddress] = useState(start.address ?? known.base_url ?? "");
  const [key, setKey] = useState("");
  const [offer, setOffer] = useState<Offer | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [battle, setBattle] = useState(true);
  const access = start.variable && !key ? { key_variable: start.variable } : { api_key: key || null };
  const chosen = offer?.models.filter((model) => ticked.has(model.model)) ?? [];
  const add = useMutation({
    mutationFn: () =>
      addProvider({
        known: knownAs(known),
        name: name.trim() || null,
        base_url: address.trim(),
        ...access,
        models: chosen.map((model) => asAdded(model, battle)),
      }),
    onSuccess: async (provider) => {
      await refreshCatalog(client);
      showToast(chosen.length ? `${counted(chosen.length, "model")} added.` : `${provider.name} added.`);
      onClose();
    },
  });
  return (
    <form
      className="flex flex-col gap-4 px-5 pt-3 pb-5"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Button size="sm" variant="quiet" className="-ml-2 self-start" onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        All providers
      </Button>
      {known.note && <p className="text-sm text-ink-2">{known.note}</p>}
      <Connection
        known={known}
        values={{ name, address, key }}
        onChange={(values) => {
          setName(values.name);
          setAddress(values.address);
          setKey(values.key);
        }}
        keyNote={start.variable ? `Read from ${start.variable}` : undefined}
        request={() => ({ known: knownAs(known), base_url: address.trim(), ...access })}
        testAtOnce={Boolean(start.variable)}
        onOffer={(found) => {
          setOffer(found);
          const suggested = found?.models.filter((model) => model.suggested && model.added === null) ?? [];
          setTicked(new Set(suggested.map((model) => model.model)));
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
      {add.error && (
        <p role="alert" className="text-sm text-bad">
          {asApiError(add.error).message} {asApiError(add.error).detail}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!address.trim() || add.isPending}>
          {chosen.length > 0 ? `Add ${counted(chosen.length, "model")}` : "Add provider"}
        </Button>
      </div>
    </form>
  );
}
