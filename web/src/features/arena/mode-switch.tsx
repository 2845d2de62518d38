import { ChevronDown } from "lucide-react";
import { useModes } from "@/features/arena/mode-feature";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";
import { Menu, MenuChoice, MenuChoices, MenuContent, MenuTrigger } from "@/ui/menu";
import { Segmented } from "@/ui/segmented";

interface ModeSwitchProps {
  value: string;
  onChange: (mode: string) => void;
}

/** Which mode is asked: side by side where there is room for all of them, else a menu. */
export function ModeSwitch({ value, onChange }: ModeSwitchProps) {
  const modes = useModes();
  const some = useMedia("(min-width: 640px)");
  const many = useMedia("(min-width: 768px)");
  if (modes.length === 0) return null;
  if (!(modes.length > 4 ? many : some)) return <ModeMenu value={value} onChange={onChange} />;
  return (
    <Segmented
      label="Mode"
      value={value}
      onChange={onChange}
      options={modes.map(({ info, feature }) => ({
        value: info.name,
        label: info.title,
        icon: <feature.icon aria-hidden="true" className={modes.length > 4 ? "max-xl:hidden" : undefined} />,
      }))}
    />
  );
}

function ModeMenu({ value, onChange }: ModeSwitchProps) {
  const modes = useModes();
  const chosen = modes.find(({ info }) => info.name === value);
  if (!chosen) return null;
  const { icon: Icon } = chosen.feature;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button aria-label={`Mode: ${chosen.info.title}`}>
          <Icon aria-hidden="true" />
          {chosen.info.title}
          <ChevronDown aria-hidden="true" className="size-3.5! text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-[min(320px,calc(100vw-24px))]">
        <MenuChoices value={value} onValueChange={onChange}>
          {modes.map(({ info, feature }) => (
            <MenuChoice key={info.name} value={info.name}>
              <feature.icon aria-hidden="true" className="size-4 shrink-0" />
              <span className="min-w-0">
                <span className="block font-medium text-ink">{info.title}</span>
                <span className="block text-xs text-ink-3">{info.summary}</span>
              </span>
            </MenuChoice>
          ))}
        </MenuChoices>
      </MenuContent>
    </Menu>
  );
}
