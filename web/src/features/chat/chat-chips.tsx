import { CornerDownRight, X } from "lucide-react";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { ModelChip } from "@/features/arena/model-chip";
import { Button } from "@/ui/button";

/** Who answers, and whose words are carried on. */
export function ChatChips({ model, from, onModel, onLeave }: ChipsProps) {
  return (
    <>
      <ModelChip value={model} onChange={onModel} />
      {from && (
        <Button variant="chip" size="sm" onClick={onLeave} aria-label="Stop continuing from the battle">
          <CornerDownRight aria-hidden="true" />
          Continues from the battle
          <X aria-hidden="true" />
        </Button>
      )}
    </>
  );
}
