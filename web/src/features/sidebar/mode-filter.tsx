/** Shows only the sessions of one mode. */

import { ListFilter } from "lucide-react";
import { useModes } from "@/features/arena/mode-feature";
import { STRINGS } from "@/features/sidebar/strings";
import { cn } from "@/lib/cn";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuChoice, MenuChoices, MenuContent, MenuTrigger } from "@/ui/menu";

interface ModeFilterProps {
  /** Null shows all. */
  value: string | null;
  onChange: (mode: string | null) => void;
}

const ALL = "";

export function ModeFilter({ value, onChange }: ModeFilterProps) {
  const modes = useModes();
  const chosen = modes.find(({ info }) => info.name === value)?.info.title;
  if (modes.length < 2) return null;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={STRINGS.filterByMode(chosen ?? STRINGS.noFilter)}
          className={cn(chosen && "bg-raised text-accent hover:text-accent")}
        >
          <ListFilter />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuChoices value={value ?? ALL} onValueChange={(mode) => onChange(mode === ALL ? null : mode)}>
          <MenuChoice value={ALL}>{STRINGS.allModes}</MenuChoice>
          {modes.map(({ info, feature }) => (
            <MenuChoice key={info.name} value={info.name}>
              <feature.icon aria-hidden="true" className="size-[15px]" />
              {info.title}
            </MenuChoice>
          ))}
        </MenuChoices>
      </MenuContent>
    </Menu>
  );
}
