import { CornerDownRight, SlidersHorizontal, X } from "lucide-react";
import { Chip, chosenPart } from "@/components/chip";
import { lazyPart } from "@/components/lazy-part";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { ModelChip } from "@/features/arena/model-chip";
import { AutoChip } from "@/features/auto/auto-chip";
import { AUTO } from "@/features/auto/auto-words";
import { same, saysSomething, settingsIn } from "@/features/chat/plan";
import { EFFORTS, fitting, NO_SETTINGS, takesEffort } from "@/features/lineup/seat-settings";
import { Button } from "@/ui/button";

const EffortChoice = lazyPart(() =>
  import("@/features/lineup/effort-choice").then((part) => part.EffortChoice),
);
const SettingsForm = chosenPart(() =>
  import("@/features/lineup/seat-settings-form").then((part) => part.SeatSettingsForm),
);

/** Who answers and how, and whose words are carried on. */
export function ChatChips({ onModel, onSetup, onLeave, ...situation }: ChipsProps) {
  const { model, models, from, instructions } = situation;
  const settings = fitting(settingsIn(situation), model, models);
  const effort = settings?.reasoning_effort ?? null;
  const custom = saysSomething(settings);
  const standing = custom && same(settings, { ...NO_SETTINGS, system_prompt: instructions ?? null });
  const auto = model === AUTO;
  const seated = situation.record?.match.seats[0]?.model?.id;
  const byHand = seated ?? models?.find(({ enabled }) => enabled)?.id ?? "";
  const words = standing ? "Your instructions" : "Custom settings";
  return (
    <>
      <AutoChip on={auto} onToggle={() => onModel(auto ? byHand : AUTO)} />
      {!auto && (
        <ModelChip
          value={model}
          onChange={onModel}
          detail={EFFORTS.find(({ value }) => value === effort)?.label.toLowerCase()}
          above={
            takesEffort(model, models) && (
              <div className="border-b border-line px-3.5 py-2">
                <EffortChoice
                  model={model}
                  value={effort}
                  onChange={(reasoning_effort) => onSetup({ ...NO_SETTINGS, ...settings, reasoning_effort })}
                />
              </div>
            )
          }
        />
      )}
      <Chip
        bare
        label={custom ? words : "Settings"}
        title="Settings"
        face={
          <>
            <SlidersHorizontal aria-hidden="true" />
            {custom && <span className="max-sm:sr-only">{words}</span>}
          </>
        }
      >
        {() => <SettingsForm alone model={model} value={settings} onChange={onSetup} />}
      </Chip>
      {from && (
        <Button variant="chip" size="sm" onClick={onLeave} aria-label="Stop continuing from there">
          <CornerDownRight aria-hidden="true" />
          Continues from an earlier answer
          <X aria-hidden="true" />
        </Button>
      )}
    </>
  );
}
