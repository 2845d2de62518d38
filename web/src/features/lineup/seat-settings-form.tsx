/** How the model at one seat is asked: what is left empty is as the mode and the provider have it. */

import { useId, useState } from "react";
import type { SeatSettings } from "@/api/types";
import { STRINGS } from "@/features/lineup/strings";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

const NONE: SeatSettings = { temperature: null, max_output_tokens: null, system_prompt: null };
const HOTTEST = 2;
const MOST_TOKENS = 1_000_000;
const POINT = (0.5).toLocaleString().includes(".");
const LONGEST_PROMPT = 30_000;

interface SeatSettingsFormProps {
  value: SeatSettings | null;
  /** There is no other seat. */
  alone?: boolean;
  /** `all`: the same for every seat. */
  onChange: (value: SeatSettings, all: boolean) => void;
}

export function SeatSettingsForm({ value, alone = false, onChange }: SeatSettingsFormProps) {
  const settings = { ...NONE, ...value };
  const promptId = useId();
  const change = (part: Partial<SeatSettings>) => onChange({ ...settings, ...part }, false);
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label={STRINGS.temperature}
          help={STRINGS.temperatureHint}
          value={settings.temperature}
          least={0}
          most={HOTTEST}
          step={0.1}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberField
          label={STRINGS.maxTokens}
          help={STRINGS.maxTokensHint}
          value={settings.max_output_tokens}
          least={1}
          most={MOST_TOKENS}
          step={1}
          onChange={(limit) => change({ max_output_tokens: limit })}
        />
      </div>
      <div className="flex flex-col gap-1">
        <label htmlFor={promptId} className="font-medium">
          {STRINGS.systemPrompt}
        </label>
        <textarea
          id={promptId}
          rows={4}
          maxLength={LONGEST_PROMPT}
          placeholder={STRINGS.none}
          value={settings.system_prompt ?? ""}
          onChange={({ target }) => change({ system_prompt: target.value === "" ? null : target.value })}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 hover:border-line-strong"
        />
        <p className="text-xs text-ink-3">{STRINGS.systemPromptHint}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {!alone && (
          <Button size="sm" onClick={() => onChange(settings, true)}>
            {STRINGS.applyToAll}
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => onChange(NONE, false)}>
          {STRINGS.clear}
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
        placeholder={STRINGS.modelDefault}
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
