/** The command palette: the commands of every area, by group. */

import { Command } from "cmdk";
import { useDeferredValue, useEffect, useRef } from "react";
import { SEARCH_CHARS } from "@/api/queries";
import type { UseCommands } from "@/components/area";
import { inGroups } from "@/components/join-areas";
import { Group, Item, itemValue } from "@/features/palette/command-item";
import { rank } from "@/features/palette/rank";
import { SEARCH_FIELD, SearchRow } from "@/features/palette/search-row";
import { useSelectedItem } from "@/features/palette/use-selected-item";

export interface PaletteProps {
  search: string;
  onSearch: (search: string) => void;
  onClose: () => void;
  useCommands: UseCommands;
}

export function Palette({ search, onSearch, onClose, useCommands }: PaletteProps) {
  const list = useRef<HTMLDivElement>(null);
  const { value, onValueChange, takeFirst } = useSelectedItem(list);
  const commands = useCommands({ search: useDeferredValue(search.trim()) });
  const listed = commands.map(itemValue).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: called when the list, or what it is found by, has changed
  useEffect(() => {
    // cmdk ranks and renders what has come only after this.
    const frame = requestAnimationFrame(takeFirst);
    return () => cancelAnimationFrame(frame);
  }, [listed]);

  return (
    <Command
      label="Command palette"
      filter={(value, sought, [name = value, also = ""] = []) => rank(name, also, sought)}
      value={value}
      onValueChange={onValueChange}
      className="flex max-h-[min(480px,70vh)] flex-col"
      loop
    >
      <SearchRow>
        <Command.Input
          autoFocus
          value={search}
          maxLength={SEARCH_CHARS}
          onValueChange={onSearch}
          placeholder="Search pages and actions…"
          className={SEARCH_FIELD}
        />
      </SearchRow>
      <Command.List ref={list} className="min-h-0 flex-1 overflow-y-auto scroll-py-2 p-2">
        <Command.Empty className="px-3 py-8 text-center text-sm text-ink-2">
          No results for “{search}”.
        </Command.Empty>
        {[...inGroups(commands)].map(([heading = "Actions", entries]) => (
          // Made anew with its items: cmdk 1.1 ranks a group wrongly once an item has left it or is called otherwise.
          <Group key={`${heading} ${entries.map(itemValue).join()}`} heading={heading}>
            {entries.map((command) => (
              <Item
                key={itemValue(command)}
                command={command}
                onSelect={() => {
                  onClose();
                  command.run();
                }}
              />
            ))}
          </Group>
        ))}
      </Command.List>
    </Command>
  );
}
