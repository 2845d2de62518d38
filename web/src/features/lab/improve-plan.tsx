/** The plan of the next search: what answers, who rewrites, on which rows, how long; with its quote and cap. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Sparkles, Swords } from "lucide-react";
import { type ReactNode, useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import {
  type Improvement,
  type ImprovementQuote,
  improveFromBattles,
  improvementQuoteQuery,
  type StartImprovement,
  startImprovement,
  useChangeImprovement,
} from "@/features/lab/improve-api";
import { ImproveRemedy } from "@/features/lab/improve-remedy";
import type { PromptDetail } from "@/features/lab/lab-api";
import { timeWords } from "@/features/lab/plan-bar";
import { PlanStatus } from "@/features/lab/plan-status";
import { datasetsQuery } from "@/features/prompts/datasets-api";
import { formatCost, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

const route = getRouteApi("/lab");

interface ImprovePlanProps {
  detail: PromptDetail;
  onStarted: (improvement: Improvement) => void;
}

export function ImprovePlan({ detail: { prompt, versions }, onStarted }: ImprovePlanProps) {
  const { data: preferred } = route.useSearch();
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: sets = [] } = useQuery(datasetsQuery);
  const usable = models.filter(({ kind, enabled }) => kind === "single" && enabled);
  const [version, setVersion] = useState<number | null>(null);
  const [model, setModel] = useState<string | null>(null);
  const [reflector, setReflector] = useState<string | null>(null);
  const [set, setSet] = useState<string | null>(null);
  const [answers, setAnswers] = useState("");
  const [patience, setPatience] = useState("10");
  const [target, setTarget] = useState("100");
  const [cap, setCap] = useState("");
  const dataset = sets.find(({ id }) => id === (set ?? preferred)) ?? sets[0];
  const usual = usable.find(({ id }) => id === prompt.model)?.id ?? usable[0]?.id;
  const plan: StartImprovement | null =
    dataset && usual
      ? {
          version: version ?? prompt.newest,
          model: model ?? usual,
          reflector: reflector ?? usual,
          dataset: dataset.id,
          answers: Number(answers) >= 1 ? Math.round(Number(answers)) : null,
          patience: Math.max(1, Math.round(Number(patience)) || 10),
          target: Math.min(100, Math.max(1, Number(target) || 100)) / 100,
          parallel: 8,
        }
      : null;
  const quote = useQuery({
    ...improvementQuoteQuery(prompt.id, plan),
    placeholderData: keepPreviousData,
  });
  const start = useChangeImprovement((body: StartImprovement) => startImprovement(prompt.id, body));
  const cap_usd = Number(cap) > 0 ? Number(cap) : null;
  const answering = model ?? usual ?? "";
  const lost = useChangeImprovement(() =>
    improveFromBattles(prompt.id, {
      version: version ?? prompt.newest,
      model: answering,
      reflector: reflector ?? usual ?? "",
      cap_usd,
    }),
  );
  const problem = quote.error ? asApiError(quote.error) : null;
  const names = usable.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section aria-label="Next search" className="border-t border-line bg-surface px-5 py-2.5 text-sm">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <Choice
          label="Version"
          value={String(version ?? prompt.newest)}
          options={versions.map(({ number }) => ({ value: String(number), label: `v${number}` }))}
          onChange={(value) => setVersion(Number(value))}
        />
        <Choice label="Model that answers" value={answering} options={names} onChange={setModel} />
        <Choice
          label="Model that rewrites"
          value={reflector ?? usual ?? ""}
          options={names}
          onChange={setReflector}
        />
        <Choice
          label="Data"
          value={dataset?.id ?? ""}
          options={
            sets.length
              ? sets.map(({ id, name, rows }) => ({ value: id, label: `${name} (${rows} rows)` }))
              : [{ value: "", label: "No data yet" }]
          }
          onChange={setSet}
        />
        <Amount
          label="Answers at most"
          value={answers}
          placeholder={quote.data && !problem ? String(quote.data.answers) : "auto"}
          onChange={setAnswers}
        />
        <Amount label="Attempts without success" value={patience} onChange={setPatience} />
        <Amount label="Stop at score" value={target} onChange={setTarget} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-2.5">
        <PlanStatus
          problem={problem}
          hint="Add rows to see the quote."
          quote={quote.data && <QuoteWords quote={quote.data} />}
        />
        {(problem || !dataset) && (
          <ImproveRemedy
            problem={problem}
            dataset={dataset}
            variables={versions[0]?.variables ?? []}
            onData={setSet}
          />
        )}
        <span className="flex-1" />
        <span className="flex flex-wrap items-center gap-3">
          <span className="flex items-center gap-1.5 text-ink-2">
            Cap $
            <Field
              type="number"
              aria-label="Cap in dollars"
              min={0}
              step="any"
              className="w-24"
              placeholder="none"
              value={cap}
              onChange={({ target: { value } }) => setCap(value)}
            />
          </span>
          <Button
            disabled={!answering || lost.isPending}
            title="Collects the questions where your votes went against the model, and starts a search. Without a cap, the quote is the cap."
            onClick={() => lost.mutate(undefined, { onSuccess: onStarted })}
          >
            <Swords aria-hidden="true" />
            Improve from battles that {usable.find(({ id }) => id === answering)?.name ?? "a model"} lost
          </Button>
          <Button
            variant="primary"
            disabled={!plan || !quote.data || problem !== null || start.isPending}
            onClick={() => plan && start.mutate({ ...plan, cap_usd }, { onSuccess: onStarted })}
          >
            <Sparkles aria-hidden="true" />
            Start search
          </Button>
        </span>
      </div>
    </section>
  );
}

function Named({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its field is among the children
    <label className="flex min-w-0 flex-col gap-1 text-xs text-ink-2">
      {label}
      {children}
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

const Choice = ({ label, ...props }: ChoiceProps) => (
  <Named label={label}>
    <Select className="max-w-52" {...props} />
  </Named>
);

interface AmountProps {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

const Amount = ({ label, onChange, ...props }: AmountProps) => (
  <Named label={label}>
    <Field
      type="number"
      min={1}
      className="w-24"
      onChange={({ target }) => onChange(target.value)}
      {...props}
    />
  </Named>
);

function QuoteWords({ quote }: { quote: ImprovementQuote }) {
  const { cost_usd_least: least, cost_usd_most: most, unpriced } = quote;
  return (
    <>
      <strong className="font-medium text-ink">At most {formatCount(quote.calls)} calls</strong>:{" "}
      {formatCount(quote.answers)} answers to search, {formatCount(quote.holdout_answers)} to measure,{" "}
      {formatCount(quote.reflections)} rewrites
      {quote.judge_calls > 0 && <>, {formatCount(quote.judge_calls)} of judges</>}
      {most > 0 && (
        <>
          {" · "}Quote{" "}
          <strong className="font-medium text-ink">
            {formatCost(least * 1e6)}–{formatCost(most * 1e6)}
          </strong>
        </>
      )}
      {unpriced.length > 0 && <> · {most > 0 ? `${unpriced.length} without a price` : "no prices"}</>}
      {" · "}up to {timeWords(quote.seconds)}
    </>
  );
}
