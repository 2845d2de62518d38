/** Settings that are numbers: whole ones, and those with a slider where the schema has bounds. */

import { useId } from "react";
import { HELP, type InnerProps, LABEL, type SchemaField } from "@/features/lineup/schema";
import { sliderFill } from "@/lib/slider-fill";
import { Field } from "@/ui/field";

/** What a field of this kind belongs to is said in front of its description: "elimination: …". */
const plainHelp = (text: string | undefined) => {
  const said = (text ?? "").replace(/^[a-z-]+: /, "");
  return said.charAt(0).toUpperCase() + said.slice(1);
};

export function CountField({ field, value, onChange, nullable, least, most }: InnerProps) {
  const id = useId();
  const min = Math.max(field.minimum ?? 0, least ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(field.maximum ?? Number.MAX_SAFE_INTEGER, most ?? Number.POSITIVE_INFINITY);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <Field
        id={id}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={1}
        aria-describedby={`${id}-help`}
        placeholder={nullable ? "none" : ""}
        value={value == null ? "" : String(value)}
        onChange={({ target }) => {
          if (nullable && target.value === "") return onChange(null);
          const next = Math.round(target.valueAsNumber);
          if (Number.isFinite(next)) onChange(Math.min(max, Math.max(min, next)));
        }}
      />
      <p id={`${id}-help`} className={HELP}>
        {plainHelp(field.description)}
      </p>
    </div>
  );
}

/** The span of a number's slider; null where the schema sets no bounds. */
function spanOf(field: SchemaField): { low: number; high: number; step: number } | null {
  const low = field.minimum ?? field.exclusiveMinimum;
  const high = field.maximum ?? field.exclusiveMaximum;
  if (low === undefined || high === undefined || high <= low) return null;
  return { low, high, step: high - low <= 2 ? 0.01 : high - low <= 20 ? 0.1 : 1 };
}

export function ShareField({ field, value, onChange, nullable }: InnerProps) {
  const id = useId();
  const share = typeof value === "number" ? value : null;
  const span = spanOf(field);
  const step = span?.step ?? 0.01;
  const set = (next: number) => {
    if (!Number.isFinite(next)) return nullable ? onChange(null) : undefined;
    const low = field.minimum ?? (field.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) + 5 * step;
    const high = field.maximum ?? (field.exclusiveMaximum ?? Number.POSITIVE_INFINITY) - 5 * step;
    onChange(Number(Math.min(high, Math.max(low, next)).toFixed(2)));
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <div className="flex items-center gap-3">
        {span && (
          <input
            type="range"
            aria-label={`${field.title ?? ""}, slider`}
            min={span.low}
            max={span.high}
            step={step}
            value={share ?? span.low}
            onChange={(event) => set(event.target.valueAsNumber)}
            style={sliderFill(((share ?? span.low) - span.low) / (span.high - span.low))}
            className="h-6 min-w-0 flex-1 cursor-pointer"
          />
        )}
        <Field
          id={id}
          type="number"
          inputMode="decimal"
          {...(span && { min: span.low, max: span.high })}
          step={step}
          placeholder={nullable ? "none" : ""}
          aria-describedby={`${id}-help`}
          className={span ? "w-20" : "w-32"}
          value={share === null ? "" : String(share)}
          onChange={(event) => set(event.target.valueAsNumber)}
        />
      </div>
      <p id={`${id}-help`} className={HELP}>
        {plainHelp(field.description)}
      </p>
    </div>
  );
}
