/** A new session of a mode in the command palette, plain or with a saved line-up. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { modelsQuery } from "@/api/queries";
import type { Command } from "@/components/area";
import { useComposer } from "@/features/arena/composer-store";
import { useModes } from "@/features/arena/mode-feature";
import { lineupOfPreset } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";
import { describe } from "@/features/lineup/saved-lineups";

interface PresetCommandsOptions {
  mode: string;
  group: string;
  order: number;
}

/** Nothing while the server has no such mode. */
export function usePresetCommands({ mode, group, order }: PresetCommandsOptions): Command[] {
  const known = useModes().find((each) => each.info.name === mode);
  const { data: presets = [] } = useQuery({ ...presetsQuery(mode), enabled: known !== undefined });
  const { data: models } = useQuery(modelsQuery);
  const { setMode, setSetup } = useComposer.getState();
  const navigate = useNavigate();
  if (!known) return [];
  const { info, feature } = known;
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  const begin = (setup?: unknown) => () => {
    if (setup) setSetup(mode, "new", setup);
    setMode(mode);
    navigate({ to: "/", search: { mode } });
  };
  return [
    { name: feature.newLabel, icon: feature.icon, group, order, run: begin() },
    ...presets.map((preset) => ({
      name: preset.name,
      also: mode,
      id: preset.id,
      about: describe(info, lineupOfPreset(preset), nameOf),
      icon: feature.icon,
      group,
      order,
      run: begin(lineupOfPreset(preset)),
    })),
  ];
}
