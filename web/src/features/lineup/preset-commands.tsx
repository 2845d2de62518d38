/** A new session of a mode by the command palette, plain or as its line-up was saved. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";
import { type CommandsProps, useModes } from "@/features/arena/mode-feature";
import { lineupOfPreset } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";
import { describe } from "@/features/lineup/saved";

interface PresetCommandsProps extends CommandsProps {
  mode: string;
  heading: string;
  newLabel: string;
  icon: LucideIcon;
}

export function PresetCommands({ mode, heading, newLabel, icon: Icon, ...parts }: PresetCommandsProps) {
  const { act, Group, Item } = parts;
  const { data: presets = [] } = useQuery(presetsQuery(mode));
  const { data: models } = useQuery(modelsQuery);
  const { setMode, setSetup } = useComposer.getState();
  const info = useModes().find((each) => each.info.name === mode)?.info;
  const navigate = useNavigate();
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  const begin = (setup?: unknown) =>
    act(() => {
      if (setup) setSetup(mode, "new", setup);
      setMode(mode);
      navigate({ to: "/", search: { mode } });
    });
  return (
    <Group heading={heading}>
      <Item name={newLabel} icon={<Icon />} onSelect={begin()} />
      {presets.map((preset) => (
        <Item
          key={preset.id}
          name={preset.name}
          also={mode}
          id={preset.id}
          about={info && describe(info, lineupOfPreset(preset), nameOf)}
          icon={<Icon />}
          onSelect={begin(lineupOfPreset(preset))}
        />
      ))}
    </Group>
  );
}
