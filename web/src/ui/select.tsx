import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange"> {
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One of several, by the browser's own list. */
export function Select({ options, onChange, className, ...props }: SelectProps) {
  return (
    <span className={cn("relative inline-flex min-w-0", className)}>
      <select
        className="h-8 touch:h-11 w-full min-w-0 cursor-pointer appearance-none truncate rounded-sm border border-line bg-button pr-7 pl-2.5 text-sm text-ink hover:border-line-strong pointer-coarse:text-[16px]"
        onChange={(event) => onChange(event.target.value)}
        {...props}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
