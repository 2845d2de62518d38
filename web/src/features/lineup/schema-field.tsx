/** One setting of a brief, drawn by what its JSON Schema says of it. */

import { useId } from "react";
import { CountField, ShareField } from "@/features/lineup/number-fields";
import { type FieldProps, HELP, type InnerProps, LABEL, type SchemaField } from "@/features/lineup/schema";
import { titled } from "@/lib/format";
import { Checkbox } from "@/ui/checkbox";
import { Select } from "@/ui/select";

/** The schema without the "or null" around it. */
const core = (field: SchemaField): SchemaField => ({
  ...field,
  ...field.anyOf?.find((each) => each.type !== "null"),
  title: field.title ?? "",
  description: field.description ?? "",
});

export function SettingField(props: FieldProps) {
  const field = core(props.field);
  const inner = { ...props, field, nullable: props.field.anyOf !== undefined };
  if (field.enum) return <ChoiceField {...inner} />;
  if (field.type === "boolean") return <SwitchField {...inner} />;
  if (field.type === "integer") return <CountField {...inner} />;
  if (field.type === "number") return <ShareField {...inner} />;
  if (field.type === "string") return <TextField {...inner} />;
  return (
    <p className="text-sm text-ink-2">
      <span className="font-medium text-ink">{field.title || props.name}</span> can only be set through the
      API.
    </p>
  );
}

function ChoiceField({ field, value, onChange, nullable }: InnerProps) {
  const id = useId();
  const chosen = value == null ? "" : String(value);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={LABEL}>
        {field.title}
      </label>
      <Select
        id={id}
        aria-describedby={`${id}-help`}
        value={chosen}
        onChange={(next) => onChange(next === "" ? null : next)}
        options={[
          ...(nullable ? [{ value: "", label: "None" }] : []),
          ...(field.enum ?? []).map((each) => ({ value: each, label: titled(each) })),
        ]}
      />
      <p id={`${id}-help`} className={HELP}>
        {choiceHelp(field.description ?? "", chosen)}
      </p>
    </div>
  );
}

/** The part of "default: …. rank: …." that speaks of the chosen one. */
export function choiceHelp(description: string, chosen: string): string {
  const found = new RegExp(`(?:^|\\. )${chosen}: (.+?)(?=\\. [a-z_-]+: |$)`).exec(description);
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
