/** The field of one variable: a text, a choice, a number, a list, or a file's text. */

import type { Variable } from "@/features/lab/lab-api";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

export type Values = Record<string, unknown>;

interface VariableFieldProps {
  variable: Variable;
  value: unknown;
  onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : Array.isArray(value)
      ? value.join(", ")
      : typeof value === "object"
        ? String((value as { text?: string }).text ?? JSON.stringify(value))
        : String(value);

export function VariableField({ variable, value, onChange }: VariableFieldProps) {
  const { name, kind = "text", choices = [], least, most, default: usual } = variable;
  const hint =
    kind === "number" && (least != null || most != null)
      ? `${least ?? "any"} to ${most ?? "any"}`
      : kind === "list"
        ? "Separate items with commas."
        : undefined;
  return (
    <Labelled
      label={name}
      {...(hint && { hint })}
      beside={<span className="text-xs text-ink-3">{kind}</span>}
    >
      {(id, hintId) => {
        const shared = { id, ...(hint && { "aria-describedby": hintId }), placeholder: usual ?? "" };
        if (kind === "choice" && choices.length > 0)
          return (
            <Select
              id={id}
              value={textOf(value) || (usual ?? choices[0] ?? "")}
              options={choices.map((each) => ({ value: each, label: each }))}
              onChange={onChange}
            />
          );
        if (kind === "number")
          return (
            <Field
              {...shared}
              type="number"
              value={textOf(value)}
              onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
            />
          );
        if (kind === "list")
          return (
            <Field
              {...shared}
              value={textOf(value)}
              onChange={({ target }) => onChange(target.value.split(/, */))}
            />
          );
        if (kind === "file")
          return (
            <input
              id={id}
              type="file"
              className="text-xs text-ink-2 file:mr-2 file:rounded-sm file:border file:border-line-strong file:bg-button file:px-2.5 file:py-1 file:text-ink"
              onChange={async ({ target }) => {
                const file = target.files?.[0];
                if (file) onChange({ name: file.name, text: await file.text() });
              }}
            />
          );
        return (
          <textarea
            {...shared}
            rows={Math.min(8, Math.max(2, textOf(value).split("\n").length))}
            value={textOf(value)}
            onChange={({ target }) => onChange(target.value)}
            className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
          />
        );
      }}
    </Labelled>
  );
}

/** The values with those of choices that nobody has touched. */
export const withUsual = (variables: readonly Variable[], values: Values): Values =>
  Object.fromEntries(
    variables.map(({ name, kind, choices = [], default: usual }) => [
      name,
      values[name] ?? (kind === "choice" ? (usual ?? choices[0]) : undefined) ?? usual ?? undefined,
    ]),
  );
