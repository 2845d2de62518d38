import { CornerDownRight, SlidersHorizontal, X } from "lucide-react";
import { Chip, chosenPart } from "@/components/chip";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { ModelChip } from "@/features/arena/model-chip";
import { saysSomething, settingsIn } from "@/features/chat/plan";
import { STRINGS } from "@/features/chat/strings";
import { Button } from "@/ui/button";

const SettingsForm = chosenPart(() =>
  import("@/features/lineup/seat-settings-form").then((part) => part.SeatSettingsForm),
);

/** Who answers and how, and whose words are carried on. */
export function ChatChips({ record, model, from, setup, onModel, onSetup, onLeave }: ChipsProps) {
  const settings = settingsIn({ record, setup });
  const custom = saysSomething(settings);
  return (
    <>
      <ModelChip value={model} onChange={onModel} />
      <Chip
        bare
        label={custom ? STRINGS.customSettings : STRINGS.settings}
        title={STRINGS.settings}
        face={
          <>
            <SlidersHorizontal aria-hidden="true" />
            {custom && <span className="max-sm:sr-only">{STRINGS.customSettings}</span>}
          </>
        }
      >
        {() => <SettingsForm alone value={settings} onChange={onSetup} />}
      </Chip>
      {from && (
        <Button variant="chip" size="sm" onClick={onLeave} aria-label={STRINGS.stopContinuing}>
          <CornerDownRight aria-hidden="true" />
          {STRINGS.continuesTurn}
          <X aria-hidden="true" />
        </Button>
      )}
    </>
  );
}
