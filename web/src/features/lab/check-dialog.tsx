/** Writes one check. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery } from "@/api/queries";
import { CHECK_KINDS, type CheckField, kindOf } from "@/features/lab/check-kinds";
import { FromPlugIn } from "@/features/lab/from-plug-in";
import { JudgePassport } from "@/features/lab/judge-passport";
import { judgeOf } from "@/features/lab/judges-api";
import type { Check } from "@/features/lab/lab-api";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface CheckDialogProps {
  check: Check;
  isNew: boolean;
  pending: boolean;
  onSave: (check: Check) => void;
  onClose: () => void;
}

export function CheckDialog({ check: start, isNew, pending, onSave, onClose }: CheckDialogProps) {
  const [check, setCheck] = useState(start);
  const kind = kindOf(check);
  const judge = judgeOf(check);
  const change = (part: Record<string, unknown>) => setCheck({ ...check, ...part });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isNew ? "Add check" : "Edit check"}
      titled
    >
      <form
        className="flex max-h-[62vh] flex-col gap-3.5 overflow-y-auto p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(check);
        }}
      >
        {isNew && <FromPlugIn onChoose={setCheck} />}
        <Labelled label="Kind" {...(kind && { hint: kind.about })}>
          {(id) => (
            <Select
              id={id}
              value={check.kind}
              options={CHECK_KINDS.map(({ kind: value, label }) => ({ value, label }))}
              onChange={(next) =>
                setCheck({
                  kind: next,
                  ...CHECK_KINDS.find((each) => each.kind === next)?.start,
                  ...(check.label && { label: check.label }),
                })
              }
            />
          )}
        </Labelled>
        {kind?.fields.map((field) => (
          <CheckInput
            key={`${check.kind}-${field.name}`}
            field={field}
            value={check[field.name]}
            onChange={(value) => change({ [field.name]: value })}
          />
        ))}
        {judge && <JudgePassport model={judge} />}
        <div className="grid grid-cols-[1fr_90px] gap-3">
          <Labelled label="Label (optional)">
            {(id) => (
              <Field
                id={id}
                maxLength={80}
                value={check.label ?? ""}
                onChange={({ target }) => change({ label: target.value })}
              />
            )}
          </Labelled>
          <Labelled label="Weight">
            {(id) => (
              <Field
                id={id}
                type="number"
                min={0}
                step="any"
                value={check.weight ?? 1}
                onChange={({ target }) => change({ weight: Number(target.value) })}
              />
            )}
          </Labelled>
        </div>
        <div className="flex items-center gap-2 text-sm">
          <Switched
            label="Not: passes where the check would fail"
            on={check.negate ?? false}
            onChange={(negate) => change({ negate })}
          />
          <span className="flex-1" />
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={pending}>
            Save check
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface CheckInputProps {
  field: CheckField;
  value: unknown;
  onChange: (value: unknown) => void;
}

const AREA =
  "focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 font-mono text-[13px] hover:border-line-strong";

function CheckInput({ field: { label, type, options = [] }, value, onChange }: CheckInputProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const [broken, setBroken] = useState(false);
  if (type === "switch") return <Switched label={label} on={value === true} onChange={onChange} />;
  return (
    <Labelled label={label} {...(broken && { hint: "This is not JSON yet." })}>
      {(id) =>
        type === "area" || type === "list" || type === "json" ? (
          <textarea
            id={id}
            rows={type === "area" ? 5 : 3}
            placeholder={type === "list" ? "One text a line" : ""}
            defaultValue={
              type === "list"
                ? ((value as string[] | undefined) ?? []).join("\n")
                : type === "json"
                  ? JSON.stringify(value ?? {}, null, 2)
                  : String(value ?? "")
            }
            onChange={({ target }) => {
              if (type === "list") return onChange(target.value.split("\n").filter(Boolean));
              if (type === "area") return onChange(target.value);
              try {
                onChange(JSON.parse(target.value));
                setBroken(false);
              } catch {
                setBroken(true);
              }
            }}
            className={AREA}
          />
        ) : type === "choice" || type === "model" ? (
          <Select
            id={id}
            value={String(value ?? options[0] ?? "")}
            options={
              type === "model"
                ? [
                    { value: "", label: "Choose a model" },
                    ...models
                      .filter(({ kind }) => kind === "single")
                      .map((it) => ({ value: it.id, label: it.name })),
                  ]
                : options.map((each) => ({ value: each, label: each }))
            }
            onChange={onChange}
          />
        ) : (
          <Field
            id={id}
            type={type === "number" ? "number" : "text"}
            step="any"
            value={String(value ?? "")}
            onChange={({ target }) =>
              onChange(type === "number" ? (target.value === "" ? null : Number(target.value)) : target.value)
            }
          />
        )
      }
    </Labelled>
  );
}

function Switched({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <Checkbox checked={on} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}
