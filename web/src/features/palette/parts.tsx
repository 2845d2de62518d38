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
  name: string;
  /** Other words by which it is found, its kind for instance. */
  also?: string;
  /** Tells it from others of the same name. */
  id?: string;
  /** What stands behind its name, quietly. */
  about?: ReactNode;
  hint?: string;
  onSelect: () => void;
}

export function Item({ icon, name, also = "", id = "", about, hint, onSelect }: ItemProps) {
  return (
    <Command.Item
      value={`${name} ${also} ${id}`}
      keywords={[name, also]}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 text-base text-ink-2 data-[selected=true]:bg-raised data-[selected=true]:text-ink [&_svg]:size-[15px] [&_svg]:shrink-0"
    >
      {icon}
      <span className="flex min-w-0 flex-1 items-baseline">
        <span className="truncate">{name}</span>
        {about && <span className="ml-2 min-w-[30%] flex-1 truncate text-ink-3">{about}</span>}
      </span>
      {hint && <Kbd>{hint}</Kbd>}
    </Command.Item>
  );
}
