/** A new consortium by the command palette, plain or as one was saved. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Combine } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { useComposer } from "@/features/arena/composer-store";
import type { CommandsProps } from "@/features/arena/mode-feature";
import { presetsQuery, setupOfPreset } from "@/features/consortium/presets-api";
import { lineUp } from "@/features/consortium/saved";

export function Commands({ act, Group, Item }: CommandsProps) {
  const { data: presets = [] } = useQuery(presetsQuery);
  const { data: models } = useQuery(modelsQuery);
  const setSetup = useComposer((state) => state.setSetup);
  const navigate = useNavigate();
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  const begin = (setup?: unknown) =>
    act(() => {
      if (setup) setSetup("consortium", "new", setup);
      navigate({ to: "/", search: { mode: "consortium" } });
    });
  return (
    <Group heading="Consortia">
      <Item value="new consortium" icon={<Combine />} onSelect={begin()}>
        New consortium
      </Item>
      {presets.map((preset) => (
        <Item
          key={preset.id}
          value={`consortium ${preset.name} ${preset.id}`}
          icon={<Combine />}
          onSelect={begin(setupOfPreset(preset))}
        >
          {preset.name}
          <span className="ml-2 truncate text-ink-3">{lineUp(preset, nameOf)}</span>
        </Item>
      ))}
    </Group>
  );
}
