/** What counts when Auto chooses, and past questions as it would have routed them. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { Setting } from "@/components/setting";
import {
  type AutoPolicy,
  type AutoReplay,
  policyQuery,
  readReplay,
  recordQuery,
  useForgetLessons,
  useSetPolicy,
} from "@/features/auto/auto-api";
import { learningOf, routesOf, verdictOf } from "@/features/auto/auto-words";
import { PresetRows } from "@/features/auto/preset-rows";
import { formatCost } from "@/lib/format";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";
import { Switch } from "@/ui/switch";

const SLIDERS = [
  ["quality", "Quality", "The rating in the question’s category, with its interval."],
  ["price", "Price", "What the answer is expected to cost."],
  ["wait", "Wait", "The usual time to the first token."],
] as const;

const REST: { value: AutoPolicy["rest"]; label: string }[] = [
  { value: "best", label: "Best model" },
  { value: "battle", label: "Blind battle" },
];

export function AutoRows() {
  const { data: policy } = useQuery(policyQuery);
  const save = useSetPolicy();
  if (!policy) return null;
  const change = (part: Partial<AutoPolicy>) => save.mutate({ ...policy, ...part });
  return (
    <>
      {SLIDERS.map(([key, name, about]) => (
        <Setting key={`${key} ${policy[key]}`} name={name} about={about}>
          <input
            type="range"
            aria-label={name}
            min={0}
            max={1}
            step={0.1}
            defaultValue={policy[key]}
            onPointerUp={(event) => change({ [key]: Number(event.currentTarget.value) })}
            onKeyUp={(event) => change({ [key]: Number(event.currentTarget.value) })}
            className="w-40 accent-accent"
          />
          <span className="num w-8 text-right text-sm text-ink-2">{Math.round(policy[key] * 10)}</span>
        </Setting>
      ))}
      <Setting
        name="Questions without tools"
        about="Where a new chat goes if its question needs neither tools nor data."
      >
        <Segmented
          label="Questions without tools"
          value={policy.rest}
          options={REST}
          onChange={(rest) => change({ rest })}
        />
      </Setting>
      <Setting name="Only local models" about="No question that is left to Auto leaves this computer.">
        <Switch
          label="Only local models"
          on={policy.local_only ?? false}
          onChange={(local_only) => change({ local_only })}
        />
      </Setting>
      <PresetRows policy={policy} onChange={(presets) => change({ presets })} />
      <RecordRows />
      <Replay />
    </>
  );
}

function RecordRows() {
  const { data: record } = useQuery(recordQuery);
  const forget = useForgetLessons();
  if (!record) return null;
  return (
    <>
      <Setting name="Questions so far" about={routesOf(record)} />
      <Setting name="Learned from your choices" about={learningOf(record.learning)}>
        {record.learning.choices > 0 && (
          <Button disabled={forget.isPending} onClick={() => forget.mutate()}>
            Forget choices
          </Button>
        )}
      </Setting>
    </>
  );
}

function Replay() {
  const replay = useMutation({ mutationFn: readReplay });
  return (
    <>
      <Setting
        name="Replay"
        about="Shows where Auto would have sent your chats of the last 30 days. No model is asked."
      >
        <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending ? "Replaying…" : "Replay questions"}
        </Button>
      </Setting>
      {replay.error && (
        <p role="alert" className="m-0 px-4 py-3 text-sm text-bad">
          {asApiError(replay.error).message}
        </p>
      )}
      {replay.data && <Result replay={replay.data} />}
    </>
  );
}

function Result({ replay }: { replay: AutoReplay }) {
  const { questions, cost_micros, would_cost_micros, kinds, models, examples } = replay;
  if (questions === 0) {
    return <p className="m-0 px-4 py-3 text-sm text-ink-2">There are no chats in the last 30 days yet.</p>;
  }
  return (
    <div aria-live="polite" className="flex flex-col gap-3 px-4 py-3 text-sm">
      <p className="m-0">{verdictOf(replay)}</p>
      <p className="num m-0 text-ink-2">
        {questions} questions were billed {formatCost(cost_micros)}. The same tokens at the chosen models cost{" "}
        {formatCost(would_cost_micros)}.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Shares title="Kinds" shares={kinds} all={questions} />
        <Shares title="Goes to" shares={models} all={questions} />
      </div>
      {examples.length > 0 && (
        <div>
          <h3 className="m-0 text-xs font-medium text-ink-3">Questions that would have gone elsewhere</h3>
          <ul className="m-0 mt-1 list-none divide-y divide-line p-0">
            {examples.map((each) => (
              <li key={each.turn_id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
                <span className="min-w-0 flex-[1_1_14rem] truncate">{each.question}</span>
                <span className="num text-xs text-ink-2">
                  {each.answered_by} {formatCost(each.cost_micros)} → {each.chosen}{" "}
                  {formatCost(each.would_cost_micros)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Shares({ title, shares, all }: { title: string; shares: AutoReplay["kinds"]; all: number }) {
  return (
    <div>
      <h3 className="m-0 text-xs font-medium text-ink-3">{title}</h3>
      <ul className="m-0 mt-1 list-none p-0">
        {shares.map(({ name, questions }) => (
          <li key={name} className="num flex justify-between gap-3 py-0.5">
            <span className="truncate">{name}</span>
            <span className="text-ink-2">
              {questions} ({Math.round((questions / all) * 100)}%)
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
