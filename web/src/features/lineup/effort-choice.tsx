/** Chooses how much a model reasons; nothing for a model that takes no such wish. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { modelsQuery } from "@/api/queries";
import { EFFORTS, type Effort, takesEffort } from "@/features/lineup/seat-settings";
import { Segmented } from "@/ui/segmented";

interface EffortChoiceProps {
  model: string | null;
  value: Effort | null;
  onChange: (effort: Effort | null) => void;
}

const DEFAULT = { value: "default", label: "Default" } as const;

export function EffortChoice({ model, value, onChange }: EffortChoiceProps) {
  const { data: models } = useQuery(modelsQuery);
  const title = useId();
  if (!takesEffort(model, models)) return null;
  return (
    <div role="group" aria-labelledby={title} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span id={title} className="font-medium">
        Reasoning effort
      </span>
      <Segmented
        label="Reasoning effort"
        value={value ?? DEFAULT.value}
        onChange={(next) => onChange(next === DEFAULT.value ? null : next)}
        options={[DEFAULT, ...EFFORTS]}
      />
    </div>
  );
}
