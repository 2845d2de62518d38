import { type ReactNode, useId } from "react";

interface LabelledProps {
  label: string;
  hint?: string;
  /** Stands at the right of the label. */
  beside?: ReactNode;
  /** The field, which gets its id, and that of the hint that describes it. */
  children: (id: string, hintId: string) => ReactNode;
}

/** A field of a form below its label, with a hint. */
export function Labelled({ label, hint, beside, children }: LabelledProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {beside}
      </div>
      {children(id, hintId)}
      {hint && (
        <p id={hintId} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
