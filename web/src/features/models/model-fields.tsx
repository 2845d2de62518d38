/** The form of a model: what it is, its place in battles, and how it answers. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { providerListQuery } from "@/api/providers";
import type { ModelCard } from "@/api/types";
import { AbilityChips, type FormProps, Part, TextField } from "@/features/models/form-fields";
import { sourceText } from "@/features/models/model-form";
import { formatCost } from "@/lib/format";
import { MAKERS } from "@/lib/makers";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";
import { Switch } from "@/ui/switch";

const HOUR_S = 3600;
const CACHE_TIMES = [
  { value: "", label: "Never" },
  { value: `${HOUR_S}`, label: "For an hour" },
  { value: `${24 * HOUR_S}`, label: "For a day" },
  { value: `${30 * 24 * HOUR_S}`, label: "For 30 days" },
];

interface ModelFieldsProps extends FormProps {
  models: readonly ModelCard[];
  all: readonly ModelCard[];
  editable: boolean;
  mayManage: boolean;
  note: ReactNode;
}

const distinct = (values: readonly string[]) => [...new Set(values)].filter(Boolean).sort();

export function ModelFields({ models, all, editable, mayManage, note, ...form }: ModelFieldsProps) {
  const one = models.length === 1 ? models[0] : undefined;
  const source = (fact: string, value: unknown) => ({ source: one ? sourceText(one, fact, value) : "" });
  if (!editable) return <FixedModel model={models[0]} form={form} mayManage={mayManage} />;
  return (
    <>
      {note}
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 px-5 pt-3 pb-5">
        {one && (
          <TextField
            {...form}
            field="name"
            label="Name"
            className="col-span-full"
            {...source("name", one.name)}
          />
        )}
        <TextField
          {...form}
          field="organization"
          label="Maker"
          first
          options={[...MAKERS.keys()]}
          {...source("organization", one?.organization)}
        />
        <TextField
          {...form}
          field="family"
          label="Family"
          options={distinct(all.filter(({ kind }) => kind === "single").map(({ family }) => family))}
          {...source("family", one?.family)}
        />
        <TextField
          {...form}
          field="license"
          label="Licence"
          options={distinct(["Apache 2.0", "MIT", "Proprietary", ...all.map(({ license }) => license)])}
          {...source("license", one?.license)}
        />
        <TextField
          {...form}
          field="context"
          label="Context"
          unit="tokens"
          numeric
          {...source("context_window", one?.context_window)}
        />
        <TextField
          {...form}
          field="input"
          label="Input price"
          before="$"
          unit="per million"
          numeric
          {...source("prices", one?.prices)}
        />
        <TextField {...form} field="output" label="Output price" before="$" unit="per million" numeric />
        {form.form.capabilities.includes("images") && (
          <TextField {...form} field="image" label="Picture price" before="$" unit="each" numeric />
        )}
        <TextField {...form} field="description" label="Description" className="col-span-full" />
        <AbilityChips {...form} {...source("capabilities", one?.capabilities)} />
      </div>
      <Battles {...form} editable />
      <Answers {...form} models={models} all={all} />
    </>
  );
}

interface FixedModelProps {
  model: ModelCard | undefined;
  form: FormProps;
  mayManage: boolean;
}

/** A model whose facts can only be read here; administrators can change its place in battles. */
function FixedModel({ model, form, mayManage }: FixedModelProps) {
  const { data } = useQuery({ ...providerListQuery, enabled: mayManage });
  if (!model) return null;
  const facts = [
    ["Maker", model.organization],
    ["Family", model.kind === "single" ? model.family : ""],
    ["Licence", model.license],
    ["Context", model.context_window?.toLocaleString("en-US")],
    ["Input price", model.prices && `$${model.prices.input} per million`],
    ["Output price", model.prices && `$${model.prices.output} per million`],
    ["Picture price", model.prices?.image ? formatCost(model.prices.image * 1e6) : ""],
    ["Abilities", model.capabilities.join(", ")],
  ].filter(([, value]) => value);
  return (
    <>
      <p className="mx-5 mb-1 rounded-md bg-raised px-3 py-2.5 text-sm text-ink-2 [overflow-wrap:anywhere]">
        {mayManage ? WHERE[model.source ?? "ensemble"] : BY_ADMINISTRATORS}
        {model.source === "file" && data && ` ${data.file}.`}
      </p>
      {model.description && <p className="px-5 pt-3 text-sm text-ink-2">{model.description}</p>}
      <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-2 px-5 py-4 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="num [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {mayManage && <Battles {...form} />}
    </>
  );
}

const BY_ADMINISTRATORS = "Administrators change models and the battle pool.";

const WHERE = {
  file: "This model is in the model list. Change it there:",
  demo: "This demo model is built in. Only its place in the battle pool can be changed.",
  ensemble: "This is a saved preset that answers like a model. Change the preset to change it.",
  database: "",
};

function Battles({ editable, ...props }: FormProps & { editable?: boolean }) {
  const { form, mixed, onChange } = props;
  return (
    <Part title="Battles">
      <div className="flex flex-col gap-1.5">
        <p className="text-sm font-medium">Battle pool</p>
        <p className="flex h-9 items-center gap-2 text-sm text-ink-2">
          <Switch label="In the battle pool" on={form.battle} onChange={(battle) => onChange({ battle })} />
          {mixed.has("battle") && !form.battle
            ? "Several values"
            : form.battle
              ? "In the pool"
              : "Not in the pool"}
        </p>
      </div>
      <TextField {...props} field="weight" label="Chance of being drawn" unit="× the usual" numeric />
      {editable && (
        <p className="col-span-full flex items-center gap-2 text-sm text-ink-2">
          <Switch label="Can answer" on={form.enabled} onChange={(enabled) => onChange({ enabled })} />
          {mixed.has("enabled") && !form.enabled
            ? "Several values"
            : form.enabled
              ? "Can answer"
              : "Paused: it answers nowhere"}
        </p>
      )}
    </Part>
  );
}

type AnswersProps = FormProps & { models: readonly ModelCard[]; all: readonly ModelCard[] };

function Answers({ models, all, ...props }: AnswersProps) {
  const { form, mixed, onChange } = props;
  const others = all.filter((each) => each.kind === "single" && !models.some(({ id }) => id === each.id));
  const times = CACHE_TIMES.some(({ value }) => value === form.cache)
    ? CACHE_TIMES
    : [...CACHE_TIMES, { value: form.cache, label: `For ${form.cache} seconds` }];
  return (
    <Part title="Answers">
      <TextField {...props} field="timeout" label="Time limit" unit="seconds" numeric />
      <TextField {...props} field="concurrency" label="At the same time" unit="answers" numeric />
      <Labelled label="Reuse answers">
        {(id) => (
          <Select
            id={id}
            value={form.cache}
            title="The same question with the same settings gets the saved answer, at no cost. Never in battles."
            options={mixed.has("cache") ? [{ value: "", label: "Several values" }, ...times.slice(1)] : times}
            onChange={(cache) => onChange({ cache })}
          />
        )}
      </Labelled>
      <Labelled label="If it doesn’t answer">
        {(id) => (
          <Select
            id={id}
            value={form.fallback}
            title="Another model can answer instead. The reply says so. Never in battles."
            options={[
              { value: "", label: mixed.has("fallback") ? "Several values" : "Show the error" },
              ...others.map((each) => ({ value: each.id, label: each.name })),
            ]}
            onChange={(fallback) => onChange({ fallback })}
          />
        )}
      </Labelled>
    </Part>
  );
}
