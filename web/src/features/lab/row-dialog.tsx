/** Writes one row. */

import { useId, useState } from "react";
import type { LabRow, WriteRow } from "@/features/lab/lab-api";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const SPLITS = [
  { value: "train", label: "Training" },
  { value: "validation", label: "Validation" },
  { value: "holdout", label: "Hold-out" },
];

interface RowDialogProps {
  row: LabRow | null;
  columns: readonly string[];
  pending: boolean;
  onSave: (row: WriteRow) => void;
  onClose: () => void;
}

export function RowDialog({ row, columns, pending, onSave, onClose }: RowDialogProps) {
  const [fields, setFields] = useState<Record<string, unknown>>(row?.fields ?? {});
  const [expected, setExpected] = useState(row?.expected ?? "");
  const [split, setSplit] = useState(row?.split ?? "validation");
  const id = useId();
  const area = (value: string, onChange: (text: string) => void, label: string) => (
    <Labelled key={label} label={label}>
      {(field) => (
        <textarea
          id={field}
          rows={Math.min(6, Math.max(1, value.split("\n").length))}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
        />
      )}
    </Labelled>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={row ? "Edit row" : "Add row"} titled>
      <form
        className="flex max-h-[62vh] flex-col gap-3.5 overflow-y-auto p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSave({ fields, expected: expected || null, split: split as WriteRow["split"] });
        }}
      >
        {columns.map((name) => {
          const value = fields[name];
          const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
          return area(text, (next) => setFields({ ...fields, [name]: readAs(value, next) }), name);
        })}
        {area(expected, setExpected, "Expected answer (optional)")}
        <div className="flex items-center gap-2 text-sm">
          <label htmlFor={id}>Split</label>
          <Select id={id} value={split} options={SPLITS} onChange={setSplit} />
          <span className="flex-1" />
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={pending}>
            Save row
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What was typed, as a list or an object where the value was one and it still reads as one. */
function readAs(before: unknown, text: string): unknown {
  if (typeof before === "string" || before === undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
