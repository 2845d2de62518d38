/** What the palette's list is made of. */
import { Command } from "cmdk";
import type { ReactNode } from "react";
import type { Command as AreaCommand } from "@/components/area";
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

/** What tells an item of the list from all others. */
export const itemValue = ({ name, also = "", id = "" }: AreaCommand) => `${name} ${also} ${id}`;

export function Item({ command, onSelect }: { command: AreaCommand; onSelect: () => void }) {
  const { icon: Icon, name, also = "", about, hint } = command;
  return (
    <Command.Item
      value={itemValue(command)}
      keywords={[name, also]}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 text-base text-ink-2 data-[selected=true]:bg-raised data-[selected=true]:text-ink [&_svg]:size-[15px] [&_svg]:shrink-0"
    >
      <Icon />
      <span className="flex min-w-0 flex-1 items-baseline">
        <span className="truncate">{name}</span>
        {about && <span className="ml-2 min-w-[30%] flex-1 truncate text-ink-3">{about}</span>}
      </span>
      {hint && <Kbd>{hint}</Kbd>}
    </Command.Item>
  );
}
