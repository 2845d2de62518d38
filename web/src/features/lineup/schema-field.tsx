/** One setting of a brief, drawn by what its JSON Schema says of it. */
import { useId } from "react";
import { filled } from "@/lib/range";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

export interface SchemaField {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
  anyOf?: SchemaField[];
}

export interface FieldProps {
  name: string;
  field: SchemaField;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Narrower limits than the schema's: those of another field. */
  least?: number;
  most?: number;
}

/** The schema without the "or null" around it. */
const core = (field: SchemaField): SchemaField => ({
  ...field,
  ...field.anyOf?.find((each) => each.type !== "null"),
  title: field.title ?? "",
  description: field.description ?? "",
});

export function SettingField(props: FieldProps) {
  const field = core(props.field);
  const inner = { ...props, field };
  if (field.enum) return <ChoiceField {...inner} />;
  if (field.type === "boolean") return <SwitchField {...inner} />;
  if (field.type === "integer") return <CountField {...inner} />;
  if (field.type === "number") return <ShareField {...inner} nullable={props.field.anyOf !== undefined} />;
  if (field.type === "string") return <TextField {...inner} />;
  return null;
}

const LABEL = "text-sm font-medium";
const HELP = "text-xs text-ink-3";

function ChoiceField({ field, value, onChange }: FieldProps) {
  const id = useId();
  const chosen = String(value);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <Select
        id={id}
        aria-describedby={`${id}-help`}
        value={chosen}
        onChange={onChange}
        options={(field.enum ?? []).map((each) => ({ value: each, label: titled(each) }))}
      />
      <p id={`${id}-help`} className={HELP}>
        {choiceHelp(field.description ?? "", chosen)}
      </p>
    </div>
  );
}

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, " ");

/** The part of "default: …. rank: …." that speaks of the chosen one. */
export function choiceHelp(description: string, chosen: string): string {
  const found = new RegExp(`(?:^|\\. )${chosen}: (.+?)(?=\\. [a-z-]+: |$)`).exec(description);
  const text = found?.[1] ?? description;
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

function SwitchField({ field, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Checkbox
        id={id}
        className="mt-0.5"
        checked={value === true}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className={LABEL}>
          {field.title}
        </label>
        <p id={`${id}-help`} className={HELP}>
          {field.description}
        </p>
      </div>
    </div>
  );
}

/** What a field of this kind belongs to is said in front of its description: "elimination: …". */
const plainHelp = (text: string | undefined) => {
  const said = (text ?? "").replace(/^[a-z-]+: /, "");
  return said.charAt(0).toUpperCase() + said.slice(1);
};

function CountField({ field, value, onChange, least, most }: FieldProps) {
  const id = useId();
  const min = Math.max(field.minimum ?? 0, least ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(field.maximum ?? 100, most ?? Number.POSITIVE_INFINITY);
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
        value={String(value)}
        onChange={({ target }) => {
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

function ShareField({ field, value, onChange, nullable }: FieldProps & { nullable: boolean }) {
  const id = useId();
  const share = typeof value === "number" ? value : null;
  const set = (next: number) => {
    if (!Number.isFinite(next)) return nullable ? onChange(null) : undefined;
    const low = field.exclusiveMinimum === undefined ? (field.minimum ?? 0) : field.exclusiveMinimum + 0.05;
    const high = field.exclusiveMaximum === undefined ? (field.maximum ?? 1) : field.exclusiveMaximum - 0.05;
    onChange(Number(Math.min(high, Math.max(low, next)).toFixed(2)));
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <div className="flex items-center gap-3">
        <input
          type="range"
          aria-label={`${field.title}, slider`}
          min={0}
          max={1}
          step={0.01}
          value={share ?? 0}
          onChange={(event) => set(event.target.valueAsNumber)}
          style={filled(share ?? 0)}
          className="h-6 min-w-0 flex-1 cursor-pointer"
        />
        <Field
          id={id}
          type="number"
          inputMode="decimal"
          min={0}
          max={1}
          step={0.01}
          placeholder={nullable ? "none" : ""}
          aria-describedby={`${id}-help`}
          className="w-20"
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

function TextField({ field, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={field.maxLength}
        aria-describedby={`${id}-help`}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
      />
      <p id={`${id}-help`} className={HELP}>
        {field.description}
      </p>
    </div>
  );
}
