import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

interface SegmentedProps<T extends string> {
  label: string;
  value: T | null;
  options: { value: T; label: string; icon?: ReactNode; iconOnly?: boolean }[];
  onChange: (value: T) => void;
  className?: string;
}

/** One of a few: the mode switch, the theme switch. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value ?? ""}
      onValueChange={(next) => next && onChange(next as T)}
      aria-label={label}
      className={cn("inline-flex rounded-[9px] border border-line bg-surface p-0.5", className)}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          aria-label={option.label}
          title={option.iconOnly ? option.label : undefined}
          className="inline-flex h-7 touch:h-11 touch:min-w-11 touch:justify-center items-center gap-1.5 rounded-[7px] px-[11px] text-sm font-medium text-ink-2 transition-colors hover:text-ink data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:shadow-[0_0_0_1px_var(--line-strong)] [&_svg]:size-[14px]"
        >
          {option.icon}
          {!option.iconOnly && option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
