import { memo } from "react";
import { PageHeader } from "@/components/page-header";
import { useComposer } from "@/features/arena/composer-store";
import { ModeSwitch } from "@/features/arena/mode-switch";

interface ArenaHeaderProps {
  mode: string;
  onMode: (mode: string) => void;
  hint?: string | undefined;
}

export const ArenaHeader = memo(function ArenaHeader({ mode, onMode, hint }: ArenaHeaderProps) {
  const setMode = useComposer((state) => state.setMode);
  const choose = (next: string) => {
    setMode(next);
    onMode(next);
  };
  return (
    <PageHeader>
      <ModeSwitch value={mode} onChange={choose} />
      <span className="flex-1" />
      {hint && <p className="truncate text-ink-3 max-md:hidden">{hint}</p>}
    </PageHeader>
  );
});
