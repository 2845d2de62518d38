/** The saved consortia, to begin a new session with. */
import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/queries";
import { type Preset, presetsQuery, setupOfPreset } from "@/features/consortium/presets-api";
import { focusComposer } from "@/lib/focus-composer";

const SHOWN = 6;

/** "Ada, Pico ×2 · arbiter Vera" */
export function lineUp(preset: Preset, nameOf: (id: string) => string): string {
  const { members, arbiter } = setupOfPreset(preset);
  const names = members.map(({ model, count }) => nameOf(model) + (count > 1 ? ` ×${count}` : ""));
  return `${names.join(", ")} · arbiter ${nameOf(arbiter)}`;
}

export function Saved({ onSetup }: { onSetup: (setup: unknown) => void }) {
  const { data: presets = [] } = useQuery(presetsQuery);
  const { data: models } = useQuery(modelsQuery);
  if (presets.length === 0) return null;
  const nameOf = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  return (
    <section aria-label="Saved consortia" className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-ink-3">Saved consortia</h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {presets.slice(0, SHOWN).map((preset) => (
          <li key={preset.id} className="min-w-0">
            <button
              type="button"
              onClick={() => {
                onSetup(setupOfPreset(preset));
                focusComposer();
              }}
              className="h-full w-full rounded-md border border-line px-3.5 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-surface"
            >
              <span className="block truncate font-medium">{preset.name}</span>
              <span className="block truncate text-xs text-ink-3">{lineUp(preset, nameOf)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
