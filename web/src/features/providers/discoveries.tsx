/** What can be added with one click: model servers on this computer, and keys in the environment. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, HardDrive, KeyRound, Plus, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { asApiError } from "@/api/problem";
import {
  addProvider,
  asAdded,
  discoveriesQuery,
  type FoundKey,
  type FoundServer,
  lookAgain,
  refreshCatalog,
} from "@/api/providers";
import { AddProvider } from "@/features/providers/add-provider";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function Discoveries() {
  const { data, isPending, isFetching, error } = useQuery(discoveriesQuery);
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: lookAgain,
    onSuccess: (found) => client.setQueryData(discoveriesQuery.queryKey, found),
  });
  const looking = isFetching || again.isPending;
  const problem = again.error ?? error;
  const [adding, setAdding] = useState<Partial<{ known: string; address: string; variable: string }> | null>(
    null,
  );
  const nothing = data && data.servers.length + data.keys.length === 0;
  return (
    <div className="flex flex-col gap-3">
      {isPending && (
        <div role="status" aria-label="Looking for model servers on this computer…">
          <Skeleton className="h-14 w-full rounded-md" />
        </div>
      )}
      {problem && <p className="text-sm text-bad">{asApiError(problem).message}</p>}
      {nothing && (
        <p className="text-sm text-ink-2">
          No model server is running on this computer, and no key is set in the environment. Start Ollama, LM
          Studio, vLLM or llama.cpp, or add a provider.
        </p>
      )}
      {data && !nothing && (
        <ul className="flex flex-col gap-2">
          {data.servers.map((server) => (
            <ServerOffer
              key={server.base_url}
              server={server}
              onChoose={() => setAdding({ known: server.kind, address: server.base_url })}
            />
          ))}
          {data.keys.map((key) => (
            <KeyOffer
              key={key.variable}
              found={key}
              onChoose={() => setAdding({ known: key.known, variable: key.variable })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setAdding({})}>
          <Plus aria-hidden="true" />
          Add provider
        </Button>
        <Button size="sm" variant="quiet" disabled={looking} onClick={() => again.mutate()}>
          <RefreshCw aria-hidden="true" className={looking ? "animate-spin" : ""} />
          Look again
        </Button>
      </div>
      {adding && <AddProvider start={adding} onClose={() => setAdding(null)} />}
    </div>
  );
}

function ServerOffer({ server, onChoose }: { server: FoundServer; onChoose: () => void }) {
  const client = useQueryClient();
  const models = server.models.filter(({ purpose }) => purpose === "chat" || purpose === "images");
  const add = useMutation({
    mutationFn: () =>
      addProvider({
        known: server.kind,
        base_url: server.base_url,
        models: models.map((model) => asAdded(model, true)),
      }),
    onSuccess: async () => {
      await refreshCatalog(client);
      showToast(`${counted(models.length, "model")} added.`);
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const direct = models.length > 0 && !server.needs_key;
  return (
    <Offered
      icon={<HardDrive />}
      name={server.name}
      about={
        server.needs_key ? "Requires a key." : `${counted(models.length, "model")} at ${server.base_url}`
      }
      added={server.provider_id !== null}
      busy={add.isPending}
      onAdd={direct ? () => add.mutate() : onChoose}
    />
  );
}

const KeyOffer = ({ found, onChoose }: { found: FoundKey; onChoose: () => void }) => (
  <Offered
    icon={<KeyRound />}
    name={found.name}
    about={`Key found in ${found.variable}`}
    added={found.provider_id !== null}
    busy={false}
    onAdd={onChoose}
  />
);

interface OfferedProps {
  icon: ReactNode;
  name: string;
  about: string;
  added: boolean;
  busy: boolean;
  onAdd: () => void;
}

function Offered({ icon, name, about, added, busy, onAdd }: OfferedProps) {
  return (
    <li className="flex items-center gap-3 rounded-md border border-line bg-page px-3 py-2">
      <span aria-hidden="true" className="text-ink-3 [&_svg]:size-4">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">{name}</p>
        <p className="text-xs text-ink-2 [overflow-wrap:anywhere]">{about}</p>
      </div>
      {added ? (
        <span className="inline-flex items-center gap-1 text-xs text-ink-2">
          <Check aria-hidden="true" className="size-3.5" />
          Added
        </span>
      ) : (
        <Button size="sm" variant="primary" aria-label={`Add ${name}`} disabled={busy} onClick={onAdd}>
          Add
        </Button>
      )}
    </li>
  );
}
