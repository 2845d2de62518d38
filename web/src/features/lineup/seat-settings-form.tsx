/** How the model at one seat is asked: what is left empty is as the mode and the provider have it. */

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { modelsQuery } from "@/api/queries";
import type { SeatSettings } from "@/api/types";
import { draws } from "@/features/arena/model-filter";
import { EffortChoice } from "@/features/lineup/effort-choice";
import { NO_SETTINGS } from "@/features/lineup/seat-settings";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

type PictureSettings = NonNullable<SeatSettings["picture"]>;

const HOTTEST = 2;
const MOST_TOKENS = 1_000_000;
const POINT = (0.5).toLocaleString().includes(".");
const LONGEST_PROMPT = 30_000;

interface SeatSettingsFormProps {
  model: string | null;
  value: SeatSettings | null;
  /** There is no other seat. */
  alone?: boolean;
  /** `all`: the same for every seat. */
  onChange: (value: SeatSettings, all: boolean) => void;
}

export function SeatSettingsForm(props: SeatSettingsFormProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const card = models.find(({ id }) => id === props.model);
  return card && draws(card) ? <PictureSettingsForm {...props} /> : <TextSettingsForm {...props} />;
}

function TextSettingsForm({ model, value, alone = false, onChange }: SeatSettingsFormProps) {
  const settings = { ...NO_SETTINGS, ...value };
  const promptId = useId();
  const change = (part: Partial<SeatSettings>) => onChange({ ...settings, ...part }, false);
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Temperature"
          help="0 picks the most likely token. Higher values, up to 2, vary more."
          value={settings.temperature}
          least={0}
          most={HOTTEST}
          step={0.1}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberField
          label="Max tokens"
          help="Limit for one answer."
          value={settings.max_output_tokens}
          least={1}
          most={MOST_TOKENS}
          step={1}
          onChange={(limit) => change({ max_output_tokens: limit })}
        />
      </div>
      <EffortChoice
        model={model}
        value={settings.reasoning_effort}
        onChange={(effort) => change({ reasoning_effort: effort })}
      />
      <div className="flex flex-col gap-1">
        <label htmlFor={promptId} className="font-medium">
          System prompt
        </label>
        <textarea
          id={promptId}
          rows={4}
          maxLength={LONGEST_PROMPT}
          placeholder="None"
          value={settings.system_prompt ?? ""}
          onChange={({ target }) => change({ system_prompt: target.value === "" ? null : target.value })}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 hover:border-line-strong"
        />
        <p className="text-xs text-ink-3">Instructions sent before the conversation.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {!alone && (
          <Button size="sm" onClick={() => onChange(settings, true)}>
            Apply to all
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => onChange(NO_SETTINGS, false)}>
          Clear
        </Button>
      </div>
    </div>
  );
}

const NO_PICTURE: PictureSettings = {
  count: null,
  width: null,
  height: null,
  seed: null,
  steps: null,
  negative_prompt: null,
};
const SIDES = { least: 64, most: 4096, step: 8 };

/** How a model draws. */
function PictureSettingsForm({ value, alone = false, onChange }: SeatSettingsFormProps) {
  const settings = { ...NO_SETTINGS, ...value };
  const picture = settings.picture ?? NO_PICTURE;
  const id = useId();
  const change = (part: Partial<PictureSettings>) => {
    const next = { ...picture, ...part };
    const some = Object.values(next).some((each) => each != null);
    onChange({ ...settings, picture: some ? next : null }, false);
  };
  const field = (name: keyof PictureSettings, label: string, help: string, limits: typeof SIDES) => (
    <NumberField
      label={label}
      help={help}
      value={(picture[name] as number | null | undefined) ?? null}
      {...limits}
      onChange={(number) => change({ [name]: number })}
    />
  );
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <div className="grid grid-cols-2 gap-4">
        {field("width", "Width", "Pixels.", SIDES)}
        {field("height", "Height", "Pixels.", SIDES)}
        {field("seed", "Seed", "The same seed draws the same picture.", {
          least: 0,
          most: 2 ** 32 - 1,
          step: 1,
        })}
        {field("steps", "Steps", "More steps take longer.", { least: 1, most: 500, step: 1 })}
        {field("count", "Pictures", "In one answer, 8 at most.", { least: 1, most: 8, step: 1 })}
      </div>
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="font-medium">
          Negative prompt
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={4000}
          placeholder="None"
          value={picture.negative_prompt ?? ""}
          onChange={({ target }) => change({ negative_prompt: target.value || null })}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 hover:border-line-strong"
        />
        <p className="text-xs text-ink-3">What the picture should not show.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {!alone && (
          <Button size="sm" onClick={() => onChange(settings, true)}>
            Apply to all
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => onChange(NO_SETTINGS, false)}>
          Clear
        </Button>
      </div>
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  help: string;
  value: number | null;
  least: number;
  most: number;
  step: number;
  onChange: (value: number | null) => void;
}

/** A number or nothing. What is typed stays as it is until the field is left; then it is brought within its limits. */
function NumberField({ label, help, value, least, most, step, onChange }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) => {
    const number = Number(text);
    if (text.trim() === "" || !Number.isFinite(number)) return null;
    const within = Math.min(most, Math.max(least, number));
    return step >= 1 ? Math.round(within) : within;
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Field
        id={id}
        type="number"
        inputMode={step >= 1 ? "numeric" : "decimal"}
        min={least}
        max={most}
        step={step}
        placeholder="model default"
        aria-describedby={`${id}-help`}
        value={typed ?? (value === null ? "" : String(value))}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(read(target.value));
        }}
        onKeyDown={(event) => {
          // A browser whose numbers have a point leaves a comma out: 0,5 would become 5.
          if (event.key !== "," || step >= 1 || !POINT) return;
          event.preventDefault();
          document.execCommand("insertText", false, ".");
        }}
        onBlur={() => setTyped(null)}
      />
      <p id={`${id}-help`} className="text-xs text-ink-3">
        {help}
      </p>
    </div>
  );
}
