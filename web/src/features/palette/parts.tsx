/** What the palette's list is made of. */
import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "@/ui/kbd";

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon: ReactNode;
  value?: string;
  hint?: string;
  onSelect: () => void;
  children: ReactNode;
}

export function Item({ icon, value, hint, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      {...(value && { value })}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 text-base text-ink-2 data-[selected=true]:bg-raised data-[selected=true]:text-ink [&_svg]:size-[15px] [&_svg]:shrink-0"
    >
      {icon}
      <span className="flex min-w-0 flex-1 items-baseline truncate">{children}</span>
      {hint && <Kbd>{hint}</Kbd>}
    </Command.Item>
  );
}
