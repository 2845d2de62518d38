/** The fields of a model's form. */
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Capability, ModelForm } from "@/features/models/model-form";
import { cn } from "@/lib/cn";
import { Labelled } from "@/ui/labelled";

export interface FormProps {
  form: ModelForm;
  /** Fields in which the selected models differ. */
  mixed: ReadonlySet<keyof ModelForm>;
  onChange: (change: Partial<ModelForm>) => void;
}

type Written = { [Key in keyof ModelForm]: ModelForm[Key] extends string ? Key : never }[keyof ModelForm];

interface FieldProps extends FormProps {
  field: Written;
  label: string;
  /** Where the value is from. */
  source?: string;
  unit?: string;
  before?: string;
  options?: readonly string[];
  numeric?: boolean;
  hint?: string;
  className?: string;
  /** Takes the focus when the form opens for a model that nobody described. */
  first?: boolean;
}

export function TextField({ field, label, form, mixed, onChange, ...props }: FieldProps) {
  const list = useId();
  const { source, unit, before, options, numeric, hint, className, first } = props;
  return (
    <div className={className}>
      <Labelled
        label={label}
        {...(hint && { hint })}
        beside={source && <span className="text-2xs text-ink-3">{source}</span>}
      >
        {(id) => (
          <span className="flex h-9 touch:h-11 items-center gap-1.5 rounded-sm border border-line bg-page px-2.5 focus-within:border-accent focus-within:outline-2 focus-within:outline-accent/40 hover:border-line-strong">
            {before && <span className="text-sm text-ink-3">{before}</span>}
            <input
              id={id}
              value={form[field]}
              maxLength={200}
              data-first={first}
              inputMode={numeric ? "decimal" : undefined}
              list={options ? list : undefined}
              placeholder={mixed.has(field) ? (before ? "Several" : "Several values") : undefined}
              onChange={(event) => onChange({ [field]: event.target.value })}
              className="num min-w-0 flex-1 bg-transparent text-sm text-ink outline-none! placeholder:text-ink-3 pointer-coarse:text-[16px]"
            />
            {unit && <span className="shrink-0 text-xs text-ink-3">{unit}</span>}
            {options && (
              <datalist id={list}>
                {options.map((option) => (
                  <option key={option} value={option} />
                ))}
              </datalist>
            )}
          </span>
        )}
      </Labelled>
    </div>
  );
}

const ABILITIES: { value: Capability; label: string }[] = [
  { value: "text", label: "Text" },
  { value: "vision", label: "Sees pictures" },
  { value: "files", label: "Reads files" },
  { value: "json", label: "JSON" },
  { value: "tools", label: "Tools" },
  { value: "reasoning", label: "Reasoning effort" },
  { value: "images", label: "Draws pictures" },
  { value: "embeddings", label: "Embeddings" },
];

export function AbilityChips({ form, mixed, onChange, source }: FormProps & { source?: string }) {
  const title = useId();
  return (
    <div role="group" aria-labelledby={title} className="col-span-full flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span id={title} className="text-sm font-medium">
          Abilities
        </span>
        <span className="text-2xs text-ink-3">{mixed.has("capabilities") ? "Several values" : source}</span>
      </p>
      <div className="flex flex-wrap gap-1.5">
        {ABILITIES.map(({ value, label }) => {
          const on = form.capabilities.includes(value);
          const next = ABILITIES.map((each) => each.value).filter((each) =>
            each === value ? !on : form.capabilities.includes(each),
          );
          return (
            <button
              key={value}
              type="button"
              aria-pressed={on}
              onClick={() => onChange({ capabilities: next })}
              className={cn(
                "inline-flex h-7 touch:h-11 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium",
                on
                  ? "border-accent bg-accent/15 text-ink"
                  : "border-line bg-page text-ink-2 hover:border-line-strong",
              )}
            >
              {on && <Check aria-hidden="true" className="size-3" />}
              {label}
            </button>
          );
        })}
      </div>
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line px-5 py-4">
      <h3 id={id} className="mb-3 font-semibold">
        {title}
      </h3>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5">{children}</div>
    </section>
  );
}
