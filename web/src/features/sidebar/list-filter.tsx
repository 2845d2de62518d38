/** Shows only the sessions of one mode or with one tag; also begins to select several. */

import { ListFilter as Icon } from "lucide-react";
import { lazyPart } from "@/components/lazy-part";
import { useModes } from "@/features/arena/mode-feature";
import { cn } from "@/lib/cn";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuTrigger } from "@/ui/menu";

export interface ListFilterProps {
  /** Null shows all. */
  mode: string | null;
  onMode: (mode: string | null) => void;
  tag: string | null;
  onTag: (tag: string | null) => void;
  onSelect: () => void;
}

const FilterItems = lazyPart(() =>
  import("@/features/sidebar/sidebar-chunk").then(({ PARTS }) => PARTS.FilterItems),
);

export function ListFilter(props: ListFilterProps) {
  const chosen = useModes().find(({ info }) => info.name === props.mode)?.info.title;
  const shown = [chosen, props.tag].filter(Boolean).join(", ");
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={`Filter sessions: ${shown || "all"}`}
          className={cn(shown && "bg-raised text-accent hover:text-accent")}
        >
          <Icon />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">
        <FilterItems {...props} />
      </MenuContent>
    </Menu>
  );
}
