/** The command palette: every mode, session, model and action. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Boxes, Cpu, Keyboard, Monitor, Moon, PanelLeft, Plus, Settings, Square, Sun } from "lucide-react";
import { useDeferredValue, useRef } from "react";
import { modelsQuery, SEARCH_CHARS, sessionQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";
import { lastTurn, useModes } from "@/features/arena/mode-feature";
import { useStop } from "@/features/arena/use-turn-actions";
import { DIALOG_STRINGS } from "@/features/palette/dialog-strings";
import { Group, Item } from "@/features/palette/parts";
import { rank } from "@/features/palette/rank";
import { SEARCH_FIELD, SearchRow } from "@/features/palette/search-row";
import { SessionItems } from "@/features/palette/session-items";
import { StandingsCommands } from "@/features/palette/standings-commands";
import { STRINGS } from "@/features/palette/strings";
import { useItemAtHand } from "@/features/palette/use-item-at-hand";
import { type Theme, useTheme } from "@/lib/theme-store";
import { isUnfinished } from "@/turn/reduce-turn";

export interface PaletteProps {
  search: string;
  onSearch: (search: string) => void;
  onClose: () => void;
  onSidebar: () => void;
  onShortcuts: () => void;
}

export function Palette({ search, onSearch, onClose, onSidebar, onShortcuts }: PaletteProps) {
  const navigate = useNavigate();
  const setTheme = useTheme((state) => state.setTheme);
  const setMode = useComposer((state) => state.setMode);
  const modes = useModes();
  const { data: models = [] } = useQuery(modelsQuery);
  const wanted = useDeferredValue(search.trim());
  const list = useRef<HTMLDivElement>(null);
  const { value, onValueChange, takeFirst } = useItemAtHand(list);
  const running = useRunningTurn();
  const stop = useStop();

  const act = (action: () => void) => () => {
    onClose();
    action();
  };
  const theme = (next: Theme) => act(() => setTheme(next));

  return (
    <Command
      label={DIALOG_STRINGS.title}
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
          placeholder={DIALOG_STRINGS.searchPlaceholder}
          className={SEARCH_FIELD}
        />
      </SearchRow>
      <Command.List ref={list} className="min-h-0 flex-1 overflow-y-auto scroll-py-2 p-2">
        <Command.Empty className="px-3 py-8 text-center text-sm text-ink-2">
          {STRINGS.noResults(search)}
        </Command.Empty>
        <Group heading={STRINGS.actions}>
          <Item
            name={STRINGS.newSession}
            icon={<Plus />}
            onSelect={act(() => navigate({ to: "/", search: {} }))}
            hint="N"
          />
          {running && (
            <Item
              name={STRINGS.stopAnswers}
              icon={<Square />}
              onSelect={act(() => stop.mutate(running))}
              hint="Esc"
            />
          )}
          <Item name={STRINGS.models} icon={<Boxes />} onSelect={act(() => navigate({ to: "/models" }))} />
          <Item
            name={STRINGS.settings}
            icon={<Settings />}
            onSelect={act(() => navigate({ to: "/settings" }))}
          />
          <Item name={STRINGS.toggleSidebar} icon={<PanelLeft />} onSelect={act(onSidebar)} />
          <Item name={STRINGS.shortcuts} icon={<Keyboard />} onSelect={act(onShortcuts)} hint="?" />
          <Item name={STRINGS.themeDark} icon={<Moon />} onSelect={theme("dark")} />
          <Item name={STRINGS.themeLight} icon={<Sun />} onSelect={theme("light")} />
          <Item name={STRINGS.themeSystem} icon={<Monitor />} onSelect={theme("system")} />
        </Group>
        <Group heading={STRINGS.modes}>
          {modes.map(({ info, feature }) => (
            <Item
              key={info.name}
              name={info.title}
              also={STRINGS.modeWords(info.name)}
              about={info.summary}
              icon={<feature.icon />}
              onSelect={act(() => {
                setMode(info.name);
                navigate({ to: "/", search: { mode: info.name } });
              })}
            />
          ))}
        </Group>
        {modes.map(
          ({ info, feature }) =>
            feature.Commands && <feature.Commands key={info.name} act={act} Group={Group} Item={Item} />,
        )}
        <StandingsCommands act={act} models={models} searching={wanted !== ""} />
        <SessionItems wanted={wanted} act={act} onFound={takeFirst} />
        <Group heading={STRINGS.chats}>
          {models
            .filter((model) => model.enabled)
            .map((model) => (
              <Item
                key={model.id}
                name={model.name}
                also={STRINGS.chatWords(model.organization, model.id)}
                about={model.organization}
                icon={<Cpu />}
                onSelect={act(() => navigate({ to: "/", search: { mode: "chat", model: model.id } }))}
              />
            ))}
        </Group>
      </Command.List>
    </Command>
  );
}

function useRunningTurn() {
  const { session } = useParams({ strict: false });
  const { data } = useQuery({ ...sessionQuery(session ?? ""), enabled: session !== undefined });
  const turn = lastTurn(data?.matches.at(-1) ?? null);
  return turn && isUnfinished(turn.status) ? turn : null;
}
