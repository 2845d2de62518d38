/** Several of some choices, under a button that says which. */

import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

interface TicksProps {
  label: string;
  face: ReactNode;
  options: readonly { value: string; label: string }[];
  value: readonly string[];
  onChange: (value: string[]) => void;
}

export function Ticks({ label, face, options, value, onChange }: TicksProps) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={`${label}: ${typeof face === "string" ? face : ""}`}>{face}</Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={label}
        className="max-h-80 w-72 overflow-y-auto p-2"
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-8 touch:min-h-11 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-raised"
          >
            <Checkbox
              checked={value.includes(option.value)}
              onChange={({ target }) =>
                onChange(
                  target.checked
                    ? options
                        .map((each) => each.value)
                        .filter((each) => each === option.value || value.includes(each))
                    : value.filter((each) => each !== option.value),
                )
              }
            />
            <span className="min-w-0 truncate">{option.label}</span>
          </label>
        ))}
      </PopoverContent>
    </Popover>
  );
}
