/** The presets that Auto may choose beside models, each for the kinds of questions that are ticked. */
import { useQuery } from "@tanstack/react-query";
import { Setting } from "@/components/setting";
import { type AutoPolicy, contestantsQuery } from "@/features/auto/auto-api";
import { withKind } from "@/features/auto/auto-words";
import { Checkbox } from "@/ui/checkbox";

const KINDS = [
  ["writing", "Writing"],
  ["code", "Code"],
  ["maths", "Maths"],
  ["chat", "Other chat"],
] as const;

interface PresetRowsProps {
  policy: AutoPolicy;
  onChange: (presets: NonNullable<AutoPolicy["presets"]>) => void;
}

export function PresetRows({ policy, onChange }: PresetRowsProps) {
  const { data: presets } = useQuery(contestantsQuery);
  const allowed = policy.presets ?? {};
  if (presets?.length === 0) {
    return (
      <Setting
        name="Presets"
        about="None can answer like a model yet. Save a consortium, a team or a chat as a preset, and make it usable as a model."
      />
    );
  }
  return presets?.map((preset) => (
    <Setting
      key={preset.id}
      name={preset.name}
      about="Auto may choose this preset for such questions, by its own rating and what all its models cost."
    >
      <fieldset className="m-0 flex flex-wrap gap-x-4 gap-y-2 border-0 p-0">
        <legend className="sr-only">Questions for {preset.name}</legend>
        {KINDS.map(([kind, label]) => (
          <label key={kind} className="flex items-center gap-2 text-sm text-ink-2">
            <Checkbox
              checked={allowed[preset.id]?.includes(kind) ?? false}
              onChange={(event) => onChange(withKind(allowed, preset.id, kind, event.target.checked))}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </Setting>
  ));
}
