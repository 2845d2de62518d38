import { memo } from "react";
import { lazyExtra } from "@/components/lazy-part";
import { PageHeader } from "@/components/page-header";
import { useComposer } from "@/features/arena/composer-store";
import { ModeSwitch } from "@/features/arena/mode-switch";
import { currentSpace } from "@/lib/space";

const Present = lazyExtra(() => import("@/features/accounts/present").then((part) => part.Present));

interface ArenaHeaderProps {
  mode: string;
  onMode: (mode: string) => void;
  hint?: string | undefined;
  sessionId?: string;
}

export const ArenaHeader = memo(function ArenaHeader({ mode, onMode, hint, sessionId }: ArenaHeaderProps) {
  const setMode = useComposer((state) => state.setMode);
  const choose = (next: string) => {
    setMode(next);
    onMode(next);
  };
  return (
    <PageHeader>
      <ModeSwitch value={mode} onChange={choose} />
      <span className="flex-1" />
      {sessionId && currentSpace() !== null && <Present sessionId={sessionId} />}
      {hint && <p className="truncate text-ink-3 max-md:hidden">{hint}</p>}
    </PageHeader>
  );
});
