/** A new consortium by the command palette, plain or as one was saved. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Combine } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";
import { type CommandsProps, useModes } from "@/features/arena/mode-feature";
import { STRINGS } from "@/features/consortium/strings";
import { lineupOfPreset } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";
import { describe } from "@/features/lineup/saved";

export function Commands({ act, Group, Item }: CommandsProps) {
  const { data: presets = [] } = useQuery(presetsQuery("consortium"));
  const { data: models } = useQuery(modelsQuery);
  const setSetup = useComposer((state) => state.setSetup);
  const info = useModes().find((each) => each.info.name === "consortium")?.info;
  const navigate = useNavigate();
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  const begin = (setup?: unknown) =>
    act(() => {
      if (setup) setSetup("consortium", "new", setup);
      navigate({ to: "/", search: { mode: "consortium" } });
    });
  return (
    <Group heading={STRINGS.consortia}>
      <Item name={STRINGS.newConsortium} icon={<Combine />} onSelect={begin()} />
      {presets.map((preset) => (
        <Item
          key={preset.id}
          name={preset.name}
          also="consortium"
          id={preset.id}
          about={info && describe(info, lineupOfPreset(preset), nameOf)}
          icon={<Combine />}
          onSelect={begin(lineupOfPreset(preset))}
        />
      ))}
    </Group>
  );
}
