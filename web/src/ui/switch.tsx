import { cn } from "@/lib/cn";

interface SwitchProps {
  label: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

/** Something that is on or off at once. */
export function Switch({ label, on, disabled, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className="group relative inline-flex h-7 w-9 shrink-0 items-center justify-center rounded-sm disabled:opacity-50 touch:size-11"
    >
      <span
        aria-hidden="true"
        className={cn(
          "flex h-[18px] w-8 items-center rounded-full border transition-colors",
          on ? "border-accent bg-accent" : "border-line-strong bg-raised group-hover:border-ink-3",
        )}
      >
        <span
          className={cn(
            "size-3 rounded-full transition-transform motion-reduce:transition-none",
            on ? "translate-x-[15px] bg-accent-ink" : "translate-x-[3px] bg-ink-3",
          )}
        />
      </span>
    </button>
  );
}
