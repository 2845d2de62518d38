/** The catalog: every configured model, with filters, what can be done with several, and one beside the list. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useMayManage } from "@/api/permissions";
import { placesOf, poolQuery, useChangePool } from "@/api/pool";
import { asApiError } from "@/api/problem";
import { providerListQuery, removeModel } from "@/api/providers";
import { modelsQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Column } from "@/components/column";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { BulkBar } from "@/features/models/bulk-bar";
import { FILTERS, type Filter, isEditable, showModels, stillThere } from "@/features/models/list-state";
import { ModelDrawer } from "@/features/models/model-drawer";
import { ModelTable } from "@/features/models/model-table";
import { usePause } from "@/features/models/use-pause";
import { ProviderSection } from "@/features/providers/provider-section";
import { RemoveDialog } from "@/features/providers/remove-dialog";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/models");

export function ModelsPage() {
  const { data, isError, error } = useQuery({ ...modelsQuery, refetchInterval: 5_000 });
  const retry = useRetryFailed();
  useTitle("Models");
  if (isError && !data) {
    return (
      <EmptyPage
        title={asApiError(error).message}
        text={asApiError(error).detail ?? "Try again in a moment."}
      >
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      </EmptyPage>
    );
  }
  return <Catalog models={data} />;
}

function Catalog({ models }: { models: ModelCard[] | undefined }) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const [ticked, setTicked] = useState<string[]>([]);
  const [together, setTogether] = useState(false);
  const [removing, setRemoving] = useState<ModelCard[]>([]);
  const { data: pool } = useQuery({ ...poolQuery, refetchInterval: 5_000 });
  const mayManage = useMayManage();
  const { data: list } = useQuery({ ...providerListQuery, enabled: mayManage });
  const places = useMemo(() => placesOf(pool), [pool]);
  const providers = useMemo(() => new Map(list?.providers.map(({ id, name }) => [id, name])), [list]);
  const change = useChangePool();
  const pause = usePause();
  const all = models ?? [];
  const { rows, counts } = useMemo(
    () => showModels(models ?? [], places, filter, search),
    [models, places, filter, search],
  );
  const picked = stillThere(ticked, all);
  const selected = all.filter(({ id }) => picked.includes(id));
  const opened = together ? selected.filter(isEditable) : all.filter(({ id }) => id === open);
  const close = useCallback(() => {
    setTogether(false);
    navigate({ search: {}, replace: true });
    if (open) setTimeout(() => document.getElementById(`model-${open}`)?.focus(), 0);
  }, [navigate, open]);
  const setPool = (ids: readonly string[], chosen: boolean) =>
    change.mutate(Object.fromEntries(ids.map((id) => [id, { chosen }])));
  return (
    <div className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <PageHeader>
          <h1 className="text-base font-semibold">Models</h1>
          {models && (
            <p className="num truncate text-ink-3">
              {models.length}
              {pool && ` · ${pool.ready} ready for battles`}
            </p>
          )}
          <span className="flex-1" />
        </PageHeader>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Column wide className={cn("py-3 sm:py-5", selected.length > 0 && "pb-20!")}>
            <Filters {...{ search, setSearch, filter, setFilter, counts }} />
            {!models && <Skeleton className="h-72 w-full rounded-lg" />}
            {models && rows.length === 0 && (
              <p className="rounded-lg border border-dashed border-line-strong py-10 text-center text-ink-2">
                {search ? `No results for “${search}”` : EMPTY[filter]}
              </p>
            )}
            {rows.length > 0 && (
              <ModelTable
                models={rows}
                places={places}
                providers={providers}
                picked={picked}
                onPick={mayManage ? setTicked : undefined}
                open={together ? undefined : open}
                onOpen={(id) => {
                  setTogether(false);
                  navigate({ search: { open: id }, replace: open !== undefined });
                }}
                onPool={mayManage ? (model, on) => setPool([model.id], on) : undefined}
              />
            )}
            {mayManage && <ProviderSection />}
          </Column>
        </div>
        {mayManage && selected.length > 0 && (
          <div className="pointer-events-none absolute inset-x-3 bottom-4 z-20 flex justify-center">
            <BulkBar
              models={selected}
              busy={change.isPending || pause.isPending}
              onPool={(on) => setPool(picked, on)}
              onPause={(enabled) => pause.mutate({ models: selected.filter(isEditable), enabled })}
              onEdit={() => setTogether(true)}
              onRemove={() => setRemoving(selected.filter(isEditable))}
              onClear={() => setTicked([])}
            />
          </div>
        )}
      </div>
      {opened.length > 0 && (
        <ModelDrawer
          key={opened.map(({ id }) => id).join()}
          models={opened}
          all={all}
          places={places}
          mayManage={mayManage}
          onClose={close}
          onRemove={() => setRemoving(opened)}
        />
      )}
      {removing.length > 0 && (
        <RemoveModels models={removing} onRemoved={close} onClose={() => setRemoving([])} />
      )}
    </div>
  );
}

const EMPTY: Record<Filter, string> = {
  all: "No models yet",
  pool: "No model is in the battle pool. A battle needs two.",
  local: "No model runs on this computer.",
  paused: "No model is paused.",
  undescribed: "Every model has a maker.",
};

interface FiltersProps {
  search: string;
  setSearch: (search: string) => void;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  counts: Record<Filter, number>;
}

function Filters({ search, setSearch, filter, setFilter, counts }: FiltersProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Field
        type="search"
        aria-label="Search models"
        placeholder="Search models"
        icon={<Search />}
        className="w-48 min-w-0 max-sm:w-full"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div
        role="group"
        aria-label="Filter"
        className="flex min-w-0 gap-1.5 overflow-x-auto max-sm:-mx-3 max-sm:px-3"
      >
        {FILTERS.filter(({ value }) => value === "all" || value === filter || counts[value] > 0).map(
          ({ value, label }) => (
            <Button
              key={value}
              size="sm"
              variant="chip"
              aria-pressed={filter === value}
              className={cn(filter === value && "border-line-strong! bg-raised! text-ink!")}
              onClick={() => setFilter(value)}
            >
              {label}
              <span className="num text-ink-3">{counts[value]}</span>
            </Button>
          ),
        )}
      </div>
    </div>
  );
}

interface RemoveModelsProps {
  models: readonly ModelCard[];
  onRemoved: () => void;
  onClose: () => void;
}

function RemoveModels({ models, onRemoved, onClose }: RemoveModelsProps) {
  const [only] = models;
  const name = models.length === 1 && only ? only.name : counted(models.length, "model");
  return (
    <RemoveDialog
      title={`Remove ${name}?`}
      text={`${models.length === 1 ? "It" : "They"} can no longer be used. Votes and sessions stay.`}
      name={name}
      remove={async (force) => {
        for (const model of models) await removeModel(model.id, force);
        onRemoved();
      }}
      onClose={onClose}
    />
  );
}
