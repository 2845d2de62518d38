/** Saved line-ups: the field that names this one is there at once, the list of them loads when first opened. */

import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "@/components/lazy-part";
import { NameForm } from "@/features/lineup/name-form";
import type { PresetListProps } from "@/features/lineup/preset-list";
import { presetsQuery, usePresetActions } from "@/features/lineup/presets-api";
import type { SavedWords } from "@/features/lineup/words";
import { showToast } from "@/lib/toast-store";
import { Skeleton } from "@/ui/skeleton";

const PresetList = lazyPart(
  () => import("@/features/lineup/preset-list").then((part) => part.PresetList),
  <Skeleton className="mx-4 my-2 h-10" />,
);

export function PresetMenu({ words, ...props }: PresetListProps & { words: SavedWords }) {
  const { info, lineup, onLineup, onClose } = props;
  const { data: presets } = useQuery(presetsQuery(info.name));
  const { save } = usePresetActions(info.name);
  const saveAs = (name: string) =>
    save.mutate(
      { name, lineup },
      {
        onSuccess: (preset) => {
          onLineup({ ...lineup, preset: { id: preset.id, name: preset.name } });
          showToast(`“${preset.name}” saved`);
          onClose();
        },
      },
    );
  return (
    <div className="flex flex-col">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold">{words.all}</h2>
      {presets?.length === 0 ? (
        // At once: what is below must not move under the pointer.
        <p className="px-4 pb-2 text-sm text-ink-2">
          No saved line-ups. Save this one to reuse its models and settings.
        </p>
      ) : (
        <PresetList {...props} />
      )}
      <div className="border-t border-line p-3.5">
        <NameForm label="Name" button="Save line-up" pending={save.isPending} onName={saveAs} />
      </div>
    </div>
  );
}
