/** The list of models: one row each, the battle pool at its end, and what is missing offered where it is missing. */

import { Link } from "@tanstack/react-router";
import { AlertTriangle, Check, Pause, Users } from "lucide-react";
import type { PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { type Column, figureColumn, Table } from "@/components/table";
import { isEditable, isUndescribed, type Places, pickAll } from "@/features/models/list-state";
import { Abilities, hasPrice, Price } from "@/features/models/model-facts";
import { cn } from "@/lib/cn";
import { formatContext } from "@/lib/format";
import { Switch } from "@/ui/switch";

interface ModelTableProps {
  models: readonly ModelCard[];
  places: Places;
  /** A provider's name by its id. */
  providers: ReadonlyMap<string, string>;
  picked: readonly string[];
  /** Undefined where nothing can be done with several. */
  onPick: ((picked: string[]) => void) | undefined;
  open: string | undefined;
  onOpen: (model: string) => void;
  /** Undefined for those who only see the pool. */
  onPool: ((model: ModelCard, on: boolean) => void) | undefined;
}

export function ModelTable({ models, picked, onPick, open, ...rest }: ModelTableProps) {
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface">
      <Table<ModelCard, string>
        fixed
        label="Models"
        columns={columnsOf(rest)}
        rows={models}
        rowKey={(model) => model.id}
        rowProps={(model) => ({
          className: cn(
            "hover:bg-raised/60 [&>*]:h-[46px] [&>*]:py-0!",
            model.id === open && "bg-raised shadow-[inset_2px_0_0_var(--accent)]",
          ),
        })}
        {...(onPick && {
          selection: {
            header: "Select all models",
            labelOf: (model) => `Select ${model.name}`,
            picked,
            onPick: (id) =>
              onPick(picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id]),
            onPickAll: () => onPick(pickAll(picked, models)),
          },
        })}
      />
    </div>
  );
}

type RowProps = Pick<ModelTableProps, "places" | "providers" | "onOpen" | "onPool">;

const columnsOf = ({ places, providers, onOpen, onPool }: RowProps): Column<ModelCard>[] => [
  {
    header: "Model",
    names: true,
    cell: (model) => (
      <Named
        model={model}
        place={places.get(model.id)}
        providers={providers}
        onOpen={onOpen}
        editable={onPool !== undefined && isEditable(model)}
      />
    ),
  },
  {
    header: "Family",
    cell: (model) => <span className="block truncate">{model.family}</span>,
    blank: (model) => !shownFamily(model),
    quiet: true,
    narrow: "2xl",
    width: "w-[148px]",
  },
  figureColumn("$ in / out", (model) => <Price model={model} />, {
    hint: "US dollars per million tokens",
    blank: (model) => !hasPrice(model),
    quiet: true,
    narrow: "lg",
    width: "w-[96px]",
  }),
  figureColumn(
    "Context",
    (model) => (model.context_window === null ? "" : formatContext(model.context_window)),
    {
      blank: (model) => model.context_window === null,
      quiet: true,
      narrow: "lg",
      width: "w-[76px]",
    },
  ),
  {
    header: "Abilities",
    cell: (model) => <Abilities model={model} />,
    blank: (model) => model.capabilities.every((ability) => ability === "text"),
    narrow: "2xl",
    width: "w-[104px]",
  },
  {
    header: "Pool",
    hint: "Battles draw from the models in the pool",
    cell: (model) => {
      const place = places.get(model.id);
      if (!place || place.out === "no_text") return null;
      return onPool ? (
        <Switch
          label={`${model.name} in the battle pool`}
          on={place.chosen}
          onChange={(on) => onPool(model, on)}
        />
      ) : (
        place.chosen && (
          <span className="text-ink-2">
            <Check aria-hidden="true" className="size-4" />
            <span className="sr-only">In the battle pool</span>
          </span>
        )
      );
    },
    width: "w-16",
  },
];

/** An ensemble's own id is no family. */
const shownFamily = (model: ModelCard) => model.kind === "single" && model.family !== "";

function Named({
  model,
  place,
  providers,
  onOpen,
  editable,
}: {
  model: ModelCard;
  place: PoolPlace | undefined;
  editable: boolean;
} & Pick<RowProps, "providers" | "onOpen">) {
  const provider = model.provider ? (providers.get(model.provider) ?? model.provider) : null;
  const together = model.kind === "ensemble";
  return (
    <span className="flex min-w-0 items-center gap-3">
      {together ? (
        <span className="flex size-[30px] shrink-0 items-center justify-center rounded-md border border-line bg-raised text-ink-3">
          <Users aria-hidden="true" className="size-4" />
        </span>
      ) : (
        <ModelMark organization={model.organization} name={model.name} size="md" />
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <button
          type="button"
          id={`model-${model.id}`}
          aria-haspopup="dialog"
          title={model.name}
          onClick={() => onOpen(model.id)}
          className={cn(
            "self-start rounded-xs text-left leading-snug font-medium hover:underline",
            "max-w-full truncate touch:-my-3 touch:py-3.5",
            !model.enabled && "text-ink-2",
          )}
        >
          {model.name}
        </button>
        <span className="flex min-w-0 items-center gap-1 truncate text-xs text-ink-3">
          <Second
            model={model}
            place={place}
            provider={together ? "several models" : provider}
            onOpen={onOpen}
            editable={editable}
          />
        </span>
      </span>
    </span>
  );
}

interface SecondProps {
  model: ModelCard;
  place: PoolPlace | undefined;
  provider: string | null;
  onOpen: (model: string) => void;
  editable: boolean;
}

/** What keeps it from answering; else who made it and where it runs, or the offer to say so. */
function Second({ model, place, provider, onOpen, editable }: SecondProps) {
  if (!model.enabled || place?.out === "failing") {
    const why = (place?.why ?? "").replace(/^It is paused\.$/, "");
    const Icon = why ? AlertTriangle : Pause;
    return (
      <span className={cn("flex min-w-0 items-center gap-1", why && "text-bad")} title={why || undefined}>
        <Icon aria-hidden="true" className="size-3 shrink-0" />
        <span className="truncate">
          {[model.enabled ? "Resting" : "Paused", why].filter(Boolean).join(": ")}
        </span>
      </span>
    );
  }
  const facts = [model.organization, provider].filter(Boolean).join(" · ");
  return (
    <>
      <span className="truncate" title={facts}>
        {facts}
      </span>
      {isUndescribed(model) && editable && (
        <button
          type="button"
          aria-label={`Describe ${model.name}`}
          onClick={() => onOpen(model.id)}
          className="shrink-0 rounded-xs font-medium text-accent hover:underline touch:-my-3 touch:py-3"
        >
          {facts && "· "}Describe
        </button>
      )}
    </>
  );
}

export const ResultsLink = ({ model }: { model: ModelCard }) => (
  <Link
    to="/models/$model"
    params={{ model: model.id }}
    className="rounded-xs text-sm text-ink-2 underline underline-offset-2 hover:text-ink"
  >
    Results
  </Link>
);
