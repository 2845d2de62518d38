/** The modes of a new session, each with what happens in it. */

import { ToggleGroup } from "radix-ui";
import { useModes } from "@/features/arena/mode-feature";
import { cn } from "@/lib/cn";

interface ModeCardsProps {
  value: string;
  onChange: (mode: string) => void;
}

export function ModeCards({ value, onChange }: ModeCardsProps) {
  const modes = useModes();
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      onValueChange={(next) => next && onChange(next)}
      aria-label="Mode"
      className="mode-cards"
    >
      {modes.map(({ info, feature }) => (
        <ToggleGroup.Item
          key={info.name}
          value={info.name}
          className={cn("mode-card group", value === info.name && "pic-moving")}
        >
          <svg aria-hidden="true" viewBox="0 0 176 76" className="pic">
            <feature.Picture />
          </svg>
          <span className="block px-3.5 pt-2.5 font-semibold group-data-[state=on]:text-accent">
            {info.title}
          </span>{" "}
          <span className="block px-3.5 pt-0.5 pb-3 text-xs leading-[1.42] text-balance text-ink-2">
            {feature.sentence ?? info.summary}
          </span>
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
