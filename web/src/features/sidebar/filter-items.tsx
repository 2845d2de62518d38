/** What the list can be narrowed to: a mode, a tag. */

import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { tagsQuery } from "@/api/sessions";
import { useModes } from "@/features/arena/mode-feature";
import type { ListFilterProps } from "@/features/sidebar/list-filter";
import { formatCount } from "@/lib/format";
import { MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "@/ui/menu";

const ALL = "";

export function FilterItems({ mode, onMode, tag, onTag, onSelect }: ListFilterProps) {
  const modes = useModes();
  const { data: tags = [] } = useQuery(tagsQuery);
  const chosen = (value: string) => (value === ALL ? null : value);
  return (
    <>
      <MenuLabel>Mode</MenuLabel>
      <MenuChoices value={mode ?? ALL} onValueChange={(value) => onMode(chosen(value))}>
        <MenuChoice value={ALL}>All modes</MenuChoice>
        {modes.map(({ info, feature }) => (
          <MenuChoice key={info.name} value={info.name}>
            <feature.icon aria-hidden="true" className="size-[15px]" />
            {info.title}
          </MenuChoice>
        ))}
      </MenuChoices>
      {tags.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Tag</MenuLabel>
          <MenuChoices value={tag ?? ALL} onValueChange={(value) => onTag(chosen(value))}>
            <MenuChoice value={ALL}>All tags</MenuChoice>
            {tags.map(({ name, sessions }) => (
              <MenuChoice key={name} value={name}>
                <span className="max-w-48 truncate">{name}</span>
                <span className="num ml-auto pl-3 text-xs text-ink-3">{formatCount(sessions)}</span>
              </MenuChoice>
            ))}
          </MenuChoices>
        </>
      )}
      <MenuSeparator />
      <MenuItem onSelect={onSelect}>
        <ListChecks aria-hidden="true" />
        Select sessions
      </MenuItem>
    </>
  );
}
