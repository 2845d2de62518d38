import { useModes } from "@/features/arena/mode-feature";
import { Segmented } from "@/ui/segmented";

export function ModeSwitch({ value, onChange }: { value: string; onChange: (mode: string) => void }) {
  const modes = useModes();
  if (modes.length === 0) return null;
  return (
    <Segmented
      label="Mode"
      value={value}
      onChange={onChange}
      options={modes.map(({ info, feature }) => ({
        value: info.name,
        label: info.title,
        icon: <feature.icon aria-hidden="true" className="max-sm:hidden" />,
      }))}
    />
  );
}
