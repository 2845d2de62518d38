import { Popover as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;

export function PopoverContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={8}
        collisionPadding={12}
        className={cn(
          "z-30 animate-fade-in rounded-md border border-line-strong bg-surface shadow-lift outline-none",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}
