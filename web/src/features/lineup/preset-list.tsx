/** The saved line-ups of a mode: load one, update, rename, remove. */

import { useQuery } from "@tanstack/react-query";
import { Check, Pencil, Save, Star, Swords, Trash2, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ModeCard } from "@/api/types";
import { type Lineup, lineupOfPreset, type Preset } from "@/features/lineup/lineup";
import { NameForm } from "@/features/lineup/name-form";
import { isChanged, presetsQuery, usePresetActions } from "@/features/lineup/presets-api";
import { describe } from "@/features/lineup/saved-lineups";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

export interface PresetListProps {
  info: ModeCard;
  lineup: Lineup;
  nameOf: (id: string) => string;
  onLineup: (lineup: Lineup) => void;
  onClose: () => void;
}

export function PresetList({ info, lineup, nameOf, onLineup, onClose }: PresetListProps) {
  const { data: presets, isPending } = useQuery(presetsQuery(info.name));
  const { change, remove } = usePresetActions(info.name);
  const loaded = presets?.find((preset) => preset.id === lineup.preset?.id);
  const changed = isChanged(info, lineup, presets);
  return (
    <>
      {isPending && <Skeleton className="mx-4 my-2 h-10" />}
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
                              ? `“${preset.name}” is now available in chats and blind battles.`
                              : `“${preset.name}” removed from blind battles.`,
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
                        ? `New sessions start with “${preset.name}”.`
                        : `New sessions no longer start with “${preset.name}”.`,
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
      {loaded && changed && (
        <div className="border-t border-line p-3.5">
          <Button
            size="sm"
            disabled={change.isPending}
            onClick={() =>
              change.mutate(
                { id: loaded.id, lineup },
                { onSuccess: () => showToast(`“${loaded.name}” updated`) },
              )
            }
          >
            <Save aria-hidden="true" />
            Update “{loaded.name}”
          </Button>
        </div>
      )}
    </>
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
          label={`New name for ${preset.name}`}
          button="Rename"
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
          {loaded && <Check aria-label="loaded" className="size-3.5 shrink-0 text-accent" />}
        </span>
        <span className="block truncate text-xs text-ink-3">{about}</span>
        {preset.missing.length > 0 && (
          <span className="flex items-center gap-1 text-xs text-bad">
            <TriangleAlert aria-hidden="true" className="size-3" />
            Not in the model list: {preset.missing.join(", ")}
          </span>
        )}
      </button>
      {onContestant && (
        <Button
          size="sm"
          variant="quiet"
          className="text-ink-3 aria-pressed:text-accent"
          aria-pressed={preset.contestant}
          aria-label={`Use ${preset.name} in blind battles`}
          title={
            preset.contestant
              ? "Used in blind battles and rated like a model. Click to remove it."
              : "Use in blind battles and rate like a model."
          }
          onClick={() => onContestant(!preset.contestant)}
        >
          <Swords aria-hidden="true" />
          {preset.contestant ? "In battles" : "Not in battles"}
        </Button>
      )}
      <IconButton
        size="icon-sm"
        label={`Start new sessions with ${preset.name}`}
        aria-pressed={preset.is_default}
        className="aria-pressed:text-accent aria-pressed:[&_svg]:fill-current"
        onClick={() => onDefault(!preset.is_default)}
      >
        <Star />
      </IconButton>
      <IconButton size="icon-sm" label={`Rename ${preset.name}`} onClick={() => setRenaming(true)}>
        <Pencil />
      </IconButton>
      <IconButton size="icon-sm" label={`Delete ${preset.name}`} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}
