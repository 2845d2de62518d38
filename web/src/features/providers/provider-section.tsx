/** The providers, their state, and what can be done with each. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, RefreshCw } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import {
  changeProvider,
  checkProviders,
  type Provider,
  type ProviderCheck,
  providerListQuery,
  refreshCatalog,
  removeProvider,
} from "@/api/providers";
import { RelativeTime } from "@/components/relative-time";
import { Discoveries } from "@/features/providers/discoveries";
import { EditProvider } from "@/features/providers/edit-provider";
import { RemoveDialog } from "@/features/providers/remove-dialog";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";
import { Skeleton } from "@/ui/skeleton";

const STATE = { ok: "No problems", failing: "Failing", paused: "Paused" } as const;

const DOTS = { ok: "bg-good", failing: "bg-bad", paused: "bg-bad", notice: "bg-gold", broken: "bg-bad" };

export function ProviderSection() {
  const { data, error } = useQuery(providerListQuery);
  const check = useMutation({
    mutationFn: checkProviders,
    onError: (failure) => showToast(asApiError(failure).message, { tone: "bad" }),
  });
  const checked = new Map(check.data?.checks.map((each) => [each.provider, each]));
  return (
    <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
      <section
        id="health"
        aria-labelledby="providers-title"
        className="rounded-lg border border-line bg-surface p-4"
      >
        <div className="mb-2 flex items-center justify-between gap-3">
          <h2 id="providers-title" className="font-semibold">
            Providers
          </h2>
          <Button size="sm" disabled={check.isPending} onClick={() => check.mutate()}>
            <RefreshCw aria-hidden="true" className={check.isPending ? "animate-spin" : ""} />
            Check now
          </Button>
        </div>
        {!data && !error && <Skeleton className="h-16 w-full" />}
        {!data && error && <p className="text-sm text-bad">{asApiError(error).message}</p>}
        {data?.file_error && (
          <div role="alert" className="mb-3 rounded-md border border-bad px-3 py-2 text-sm">
            <p className="font-medium">The model list can’t be used. The previous one stays in use.</p>
            <pre className="mt-1 overflow-x-auto font-mono text-xs whitespace-pre-wrap text-ink-2">
              {data.file_error}
            </pre>
          </div>
        )}
        <ul className="flex flex-col divide-y divide-line">
          {data?.providers.map((provider) => (
            <Line key={provider.id} provider={provider} check={checked.get(provider.id)} />
          ))}
        </ul>
        <p className="mt-2 text-xs text-ink-3">
          Failures since Parley started. One in a battle shows here after the battle, so it gives no model
          away.
        </p>
        {data && (
          <p className="mt-1 text-xs text-ink-3 [overflow-wrap:anywhere]">
            Models can also be listed in {data.file}. Changes are read within seconds.
          </p>
        )}
      </section>
      <section aria-labelledby="found-title" className="rounded-lg border border-line bg-surface p-4">
        <h2 id="found-title" className="mb-2 font-semibold">
          Found on this computer
        </h2>
        <Discoveries />
      </section>
    </div>
  );
}

const SOURCES: Record<string, string> = { file: "From the model list", demo: "Built in" };

function Line({ provider, check }: { provider: Provider; check: ProviderCheck | undefined }) {
  const { health } = provider;
  const state = provider.problem ? "failing" : (check?.state ?? health.state);
  const facts = [
    provider.base_url,
    counted(provider.models, "model"),
    provider.run === "job" && "Kubernetes Jobs",
    SOURCES[provider.source],
  ];
  return (
    <li className="flex items-start gap-2.5 py-2.5 first:pt-0">
      <i
        aria-hidden="true"
        className={cn(
          "mt-[7px] size-2 shrink-0 rounded-full",
          provider.enabled ? DOTS[state] : "bg-line-strong",
        )}
      />
      <div className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{provider.name}</span>{" "}
          <span className="text-ink-2">
            {provider.enabled ? STATE[health.state] : "Disabled"}
            {health.retry_in_s ? `, retrying in ${health.retry_in_s} s` : ""}
          </span>
          {health.since && (
            <span className="text-ink-3">
              {" · first failure "}
              <RelativeTime at={health.since} />
            </span>
          )}
        </p>
        <p className="text-xs text-ink-3">{facts.filter(Boolean).join(" · ")}</p>
        {check && (
          <p
            role="status"
            className={cn("first-letter:uppercase", check.state === "ok" ? "text-good" : "text-ink-2")}
          >
            {check.text}
            {check.advice && <span className="text-ink-3"> {check.advice}</span>}
          </p>
        )}
        {provider.problem && <p className="text-bad">{provider.problem}</p>}
        {provider.same_address_as && (
          <p className="text-ink-3">Same address as {provider.same_address_as}.</p>
        )}
        {health.error && <p className="text-ink-2">{health.error}</p>}
        {health.advice && <p className="text-ink-3">{health.advice}</p>}
      </div>
      {provider.source === "database" && <Actions provider={provider} />}
    </li>
  );
}

function Actions({ provider }: { provider: Provider }) {
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const client = useQueryClient();
  const turn = useMutation({
    mutationFn: () => changeProvider(provider.id, { enabled: !provider.enabled }),
    onSuccess: () => refreshCatalog(client),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <IconButton size="icon-sm" label={`Actions for ${provider.name}`}>
            <Ellipsis />
          </IconButton>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem onSelect={() => setOpen("edit")}>Edit</MenuItem>
          <MenuItem onSelect={() => turn.mutate()}>{provider.enabled ? "Disable" : "Enable"}</MenuItem>
          <MenuSeparator />
          <MenuItem className="text-bad!" onSelect={() => setOpen("remove")}>
            Remove
          </MenuItem>
        </MenuContent>
      </Menu>
      {open === "edit" && <EditProvider provider={provider} onClose={() => setOpen(null)} />}
      {open === "remove" && (
        <RemoveDialog
          title={`Remove ${provider.name}?`}
          text={`Its key is deleted, and ${counted(provider.models, "model")} can no longer be used. Votes and sessions stay.`}
          name={provider.name}
          remove={(force) => removeProvider(provider.id, force)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
