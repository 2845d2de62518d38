import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export const Menu = Radix.Root;
export const MenuTrigger = Radix.Trigger;

export function MenuContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 animate-fade-in overflow-y-auto rounded-md border border-line-strong bg-surface p-1 shadow-lift",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function MenuItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      className={cn(
        "flex h-8 touch:h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-sm text-ink-2 outline-none select-none data-[highlighted]:bg-raised data-[highlighted]:text-ink [&_svg]:size-[15px]",
        className,
      )}
      {...props}
    />
  );
}

export const MenuChoices = Radix.RadioGroup;

/** One of several, with the chosen one marked. */
export function MenuChoice({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem
      className={cn(
        "flex min-h-8 touch:min-h-11 cursor-pointer items-center gap-2.5 rounded-sm py-1.5 pr-2.5 pl-2 text-sm text-ink-2 outline-none select-none data-[highlighted]:bg-raised data-[highlighted]:text-ink data-[state=checked]:text-ink",
        className,
      )}
      {...props}
    >
      <span aria-hidden="true" className="flex size-4 shrink-0 items-center justify-center">
        <Radix.ItemIndicator>
          <Check className="size-[15px]" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.RadioItem>
  );
}

/** Something that is on or off. */
export function MenuLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  return (
    <Radix.Label className={cn("px-2 pt-2 pb-1 text-2xs font-medium text-ink-3", className)} {...props} />
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
