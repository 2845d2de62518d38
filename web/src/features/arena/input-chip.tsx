/** What the composer's text is: a new question, a fact, a direction, a question to one of them. */

import { Check, ChevronDown, MessageCircle } from "lucide-react";
import { useState } from "react";
import type { SeatView } from "@/api/types";
import { hasSeat, inputWords } from "@/features/arena/inputs";
import type { InputType, InputWords } from "@/features/arena/mode-feature";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const INPUT_HELP = {
  prompt: "Start over with a new question.",
  continue: "Resume from here.",
  add: "Tell all models something. The question stays the same.",
  steer: "Direct all models. The question stays the same.",
  ask: "Send a question to one model.",
  skip: "One model skips the next round.",
  synthesise: "End with a conclusion.",
} as const;

export interface Chosen {
  type: InputType;
  seat: string | null;
}

interface InputChipProps {
  types: readonly InputType[];
  value: Chosen;
  /** Those who sit there now. */
  seats: readonly SeatView[];
  onChange: (value: Chosen) => void;
  /** How the mode calls what can be said, and who sits there. */
  own?: InputWords | undefined;
  nameOf?: ((seat: SeatView) => string) | undefined;
}

export const seatLabel = (seat: SeatView) => seat.model?.name ?? seat.label;

export function InputChip(props: InputChipProps) {
  const { types, value, seats, onChange, own, nameOf = seatLabel } = props;
  const [open, setOpen] = useState(false);
  const about = seats.find((seat) => seat.name === value.seat);
  const { label } = inputWords(value.type, own);
  const face = hasSeat(value.type) && about ? `${label}: ${nameOf(about)}` : label;
  const choose = (next: Chosen) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="chip" size="sm" aria-label={`Message type: ${face}`} className="max-w-56">
          <MessageCircle aria-hidden="true" />
          <span className="truncate">{face}</span>
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label="Message type"
        className="w-[min(340px,92vw)] p-1.5"
      >
        <ul className="max-h-[50vh] overflow-y-auto">
          {types.flatMap((type) =>
            hasSeat(type)
              ? seats.map((seat) => (
                  <Choice
                    key={`${type} ${seat.name}`}
                    label={`${inputWords(type, own).label}: ${nameOf(seat)}`}
                    help={INPUT_HELP[type]}
                    chosen={value.type === type && value.seat === seat.name}
                    onChoose={() => choose({ type, seat: seat.name })}
                  />
                ))
              : [
                  <Choice
                    key={type}
                    label={inputWords(type, own).label}
                    help={INPUT_HELP[type]}
                    chosen={value.type === type}
                    onChoose={() => choose({ type, seat: null })}
                  />,
                ],
          )}
        </ul>
      </PopoverContent>
    </Popover>
  );
}

interface ChoiceProps {
  label: string;
  help: string;
  chosen: boolean;
  onChoose: () => void;
}

function Choice({ label, help, chosen, onChoose }: ChoiceProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={onChoose}
        className="focus-inset w-full rounded-sm px-2.5 py-1.5 text-left text-sm hover:bg-raised"
      >
        <span className="flex items-center gap-1.5 font-medium">
          <span className="truncate">{label}</span>
          {chosen && <Check aria-hidden="true" className="size-3.5 shrink-0 text-accent" />}
        </span>
        <span className="block text-xs text-ink-3">{help}</span>
      </button>
    </li>
  );
}
