/** Saved line-ups, to begin a new session with. */
import { useQuery } from "@tanstack/react-query";
import { modelsQuery, modesQuery } from "@/api/queries";
import type { ModeCard } from "@/api/types";
import { byModel, chosenGroups, type Lineup, lineupOfPreset, placesIn } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";
import { LINE_UPS } from "@/features/lineup/words";
import { focusComposer } from "@/lib/focus-composer";

const SHOWN = 6;

/** "Ada, Pico ×2 · arbiter Vera" */
export function describe(info: ModeCard, lineup: Lineup, nameOf: (id: string) => string): string {
  const groups = [...chosenGroups(info)].sort((a, b) => b.most - a.most);
  return groups
    .flatMap((group) => {
      const names = byModel(placesIn(info, lineup, group)).map(
        (each) => nameOf(each.model) + (each.names.length > 1 ? ` ×${each.names.length}` : ""),
      );
      if (names.length === 0) return [];
      return [group.most > 1 ? names.join(", ") : `${group.role} ${names.join(", ")}`];
    })
    .join(" · ");
}

interface SavedLineupsProps {
  mode: string;
  words?: { all: string };
  onSetup: (setup: unknown) => void;
}

export function SavedLineups({ mode, words = LINE_UPS, onSetup }: SavedLineupsProps) {
  const { data: presets = [] } = useQuery(presetsQuery(mode));
  const { data: models } = useQuery(modelsQuery);
  const info = useQuery(modesQuery).data?.find((each) => each.name === mode);
  if (!info || presets.length === 0) return null;
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  return (
    <section aria-label={words.all} className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-ink-3">{words.all}</h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {presets.slice(0, SHOWN).map((preset) => (
          <li key={preset.id} className="min-w-0">
            <button
              type="button"
              onClick={() => {
                onSetup(lineupOfPreset(preset));
                focusComposer();
              }}
              className="h-full w-full rounded-md border border-line px-3.5 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-surface"
            >
              <span className="block truncate font-medium">{preset.name}</span>
              <span className="block truncate text-xs text-ink-3">
                {describe(info, lineupOfPreset(preset), nameOf)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
