/** The bar above every page: what opens the sidebar, the page's own part, what opens the palette. */

import { PanelLeft, Search } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { STRINGS } from "@/components/strings";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

export interface Frame {
  sidebarShown: boolean;
  toggleSidebar: () => void;
  openPalette: () => void;
  openShortcuts: () => void;
}

export const FrameContext = createContext<Frame>({
  sidebarShown: true,
  toggleSidebar: () => undefined,
  openPalette: () => undefined,
  openShortcuts: () => undefined,
});

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** "⌘K" or "Ctrl K", as this computer calls it. */
export const modKey = (key: string) => (MAC ? `⌘${key}` : `Ctrl ${key}`);

export function PageHeader({ children }: { children: ReactNode }) {
  const { sidebarShown, toggleSidebar, openPalette } = useContext(FrameContext);
  return (
    <header className="flex min-h-13 shrink-0 items-center gap-2.5 border-b border-line px-3 py-1 sm:px-5">
      {!sidebarShown && (
        <IconButton label={STRINGS.openSidebar} className="-ml-1.5" onClick={toggleSidebar}>
          <PanelLeft />
        </IconButton>
      )}
      {children}
      <Button
        className="text-xs max-sm:hidden pointer-coarse:hidden"
        onClick={openPalette}
        aria-label={STRINGS.openPalette}
      >
        <span className="font-mono">{modKey("K")}</span>
      </Button>
      <IconButton label={STRINGS.openPalette} className="sm:not-pointer-coarse:hidden" onClick={openPalette}>
        <Search />
      </IconButton>
    </header>
  );
}
