import { CornerDownRight, X } from "lucide-react";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { ModelChip } from "@/features/arena/model-chip";
import { STRINGS } from "@/features/chat/strings";
import { Button } from "@/ui/button";

/** Who answers, and whose words are carried on. */
export function ChatChips({ model, from, onModel, onLeave }: ChipsProps) {
  return (
    <>
      <ModelChip value={model} onChange={onModel} />
      {from && (
        <Button variant="chip" size="sm" onClick={onLeave} aria-label={STRINGS.stopContinuing}>
          <CornerDownRight aria-hidden="true" />
          {STRINGS.continues}
          <X aria-hidden="true" />
        </Button>
      )}
    </>
  );
}
