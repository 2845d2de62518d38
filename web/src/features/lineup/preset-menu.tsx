/** Saved line-ups: load one, save this one, update, rename, remove. */

import { useQuery } from "@tanstack/react-query";
import { Check, Pencil, Save, Star, Swords, Trash2, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ModeCard } from "@/api/types";
import { type Lineup, lineupOfPreset, type Preset, sameLineup } from "@/features/lineup/lineup";
import { presetsQuery, usePresetActions } from "@/features/lineup/presets-api";
import { describe } from "@/features/lineup/saved";
import { STRINGS } from "@/features/lineup/strings";
import type { SavedWords } from "@/features/lineup/words";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

interface PresetMenuProps {
  info: ModeCard;
  lineup: Lineup;
  words: SavedWords;
  nameOf: (id: string) => string;
  onLineup: (lineup: Lineup) => void;
  onClose: () => void;
}

export function PresetMenu({ info, lineup, words, nameOf, onLineup, onClose }: PresetMenuProps) {
  const { data: presets, isPending } = useQuery(presetsQuery(info.name));
  const { save, change, remove } = usePresetActions(info.name);
  const loaded = presets?.find((preset) => preset.id === lineup.preset?.id);
  const changed = loaded && !sameLineup(info, lineup, lineupOfPreset(loaded));
  const saveAs = (name: string) =>
    save.mutate(
      { name, lineup },
      {
        onSuccess: (preset) => {
          onLineup({ ...lineup, preset: { id: preset.id, name: preset.name } });
          showToast(STRINGS.presetSaved(preset.name));
          onClose();
        },
      },
    );
  return (
    <div className="flex flex-col">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold">{words.all}</h2>
      {isPending && <Skeleton className="mx-4 my-2 h-10" />}
      {presets?.length === 0 && <p className="px-4 pb-2 text-sm text-ink-2">{STRINGS.noneSaved}</p>}
      <ul className="max-h-72 overflow-y-auto px-2 pb-1">
        {presets?.map((preset) => (
          <Row
            key={preset.id}
            preset={preset}
            loaded={preset.id === loaded?.id}
            about={describe(info, lineupOfPreset(preset), nameOf)}
            onLoad={() => {
              onLineup(lineupOfPreset(preset));
              onClose();
            }}
            onRename={(name) =>
              change.mutate(
                { id: preset.id, name },
                {
                  onSuccess: () =>
                    lineup.preset?.id === preset.id &&
                    onLineup({ ...lineup, preset: { id: preset.id, name } }),
                },
              )
            }
            onContestant={
              info.voice === null
                ? null
                : (contestant) =>
                    change.mutate(
                      { id: preset.id, contestant },
                      {
                        onSuccess: () =>
                          showToast(
                            contestant
                              ? STRINGS.presetJoinedBattles(preset.name)
                              : STRINGS.presetLeftBattles(preset.name),
                          ),
                      },
                    )
            }
            onDefault={(is_default) =>
              change.mutate(
                { id: preset.id, is_default },
                {
                  onSuccess: () =>
                    showToast(
                      is_default
                        ? STRINGS.presetIsDefault(preset.name)
                        : STRINGS.presetIsNoDefault(preset.name),
                    ),
                },
              )
            }
            onRemove={() => {
              remove.mutate(preset);
              if (lineup.preset?.id === preset.id) onLineup({ ...lineup, preset: null });
            }}
          />
        ))}
      </ul>
      <div className="flex flex-col gap-2.5 border-t border-line p-3.5">
        {loaded && changed && (
          <Button
            size="sm"
            className="self-start"
            disabled={change.isPending}
            onClick={() =>
              change.mutate(
                { id: loaded.id, lineup },
                { onSuccess: () => showToast(STRINGS.presetUpdated(loaded.name)) },
              )
            }
          >
            <Save aria-hidden="true" />
            {STRINGS.updatePreset(loaded.name)}
          </Button>
        )}
        <NameForm label={STRINGS.name} button={STRINGS.saveLineUp} pending={save.isPending} onName={saveAs} />
      </div>
    </div>
  );
}

interface RowProps {
  preset: Preset;
  loaded: boolean;
  about: string;
  onLoad: () => void;
  onRename: (name: string) => void;
  /** Null where the mode cannot answer like a model. */
  onContestant: ((contestant: boolean) => void) | null;
  onDefault: (isDefault: boolean) => void;
  onRemove: () => void;
}

function Row({ preset, loaded, about, onLoad, onRename, onContestant, onDefault, onRemove }: RowProps) {
  const [renaming, setRenaming] = useState(false);
  if (renaming) {
    return (
      <li className="px-2 py-1.5">
        <NameForm
          label={STRINGS.newNameFor(preset.name)}
          button={STRINGS.rename}
          initial={preset.name}
          pending={false}
          onName={(name) => {
            setRenaming(false);
            if (name !== preset.name) onRename(name);
          }}
        />
      </li>
    );
  }
  return (
    <li className="group flex items-center gap-1 rounded-sm hover:bg-raised focus-within:bg-raised">
      <button
        type="button"
        onClick={onLoad}
        className="focus-inset min-w-0 flex-1 rounded-sm px-2 py-1.5 text-left"
      >
        <span className="flex items-center gap-1.5 text-sm font-medium">
          <span className="truncate">{preset.name}</span>
          {loaded && <Check aria-label={STRINGS.loaded} className="size-3.5 shrink-0 text-accent" />}
        </span>
        <span className="block truncate text-xs text-ink-3">{about}</span>
        {preset.missing.length > 0 && (
          <span className="flex items-center gap-1 text-xs text-bad">
            <TriangleAlert aria-hidden="true" className="size-3" />
            {STRINGS.missingModels(preset.missing.join(", "))}
          </span>
        )}
      </button>
      {onContestant && (
        <Button
          size="sm"
          variant="quiet"
          className="text-ink-3 aria-pressed:text-accent"
          aria-pressed={preset.contestant}
          aria-label={STRINGS.joinBattlesLabel(preset.name)}
          title={preset.contestant ? STRINGS.joinedBattlesHint : STRINGS.joinBattlesHint}
          onClick={() => onContestant(!preset.contestant)}
        >
          <Swords aria-hidden="true" />
          {preset.contestant ? STRINGS.inBattles : STRINGS.notInBattles}
        </Button>
      )}
      <IconButton
        size="icon-sm"
        label={STRINGS.startWith(preset.name)}
        aria-pressed={preset.is_default}
        className="aria-pressed:text-accent aria-pressed:[&_svg]:fill-current"
        onClick={() => onDefault(!preset.is_default)}
      >
        <Star />
      </IconButton>
      <IconButton size="icon-sm" label={STRINGS.renameNamed(preset.name)} onClick={() => setRenaming(true)}>
        <Pencil />
      </IconButton>
      <IconButton size="icon-sm" label={STRINGS.deleteNamed(preset.name)} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

interface NameFormProps {
  label: string;
  button: string;
  initial?: string;
  pending: boolean;
  onName: (name: string) => void;
}

function NameForm({ label, button, initial = "", pending, onName }: NameFormProps) {
  const [name, setName] = useState(initial);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a floating panel is still inside the composer's form for React.
        event.stopPropagation();
        if (name.trim()) onName(name.trim());
      }}
    >
      <Field
        autoFocus
        aria-label={label}
        placeholder={`${label}…`}
        maxLength={200}
        className="min-w-0 flex-1"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={!name.trim() || pending}>
        {button}
      </Button>
    </form>
  );
}
