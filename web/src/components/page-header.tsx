/** The bar above every page: what opens the sidebar, the page's own part, what opens the palette. */

import { PanelLeft, Search } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Kbd } from "@/ui/kbd";

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

interface PageHeaderProps {
  /** Without a line under it, where it is all but empty. */
  bare?: boolean;
  children?: ReactNode;
}

export function PageHeader({ bare = false, children }: PageHeaderProps) {
  const { sidebarShown, toggleSidebar, openPalette } = useContext(FrameContext);
  return (
    <header
      className={cn(
        "flex min-h-13 shrink-0 items-center gap-2.5 px-3 py-1 sm:px-5",
        !bare && "border-b border-line",
      )}
    >
      {!sidebarShown && (
        <IconButton label="Open sidebar" className="-ml-1.5" onClick={toggleSidebar}>
          <PanelLeft />
        </IconButton>
      )}
      {children}
      {bare && <span className="flex-1" />}
      <Button
        className="gap-2 border-line bg-surface pr-1.5 pl-2.5 font-normal text-ink-2 max-lg:hidden pointer-coarse:hidden"
        onClick={openPalette}
      >
        <Search aria-hidden="true" className="size-3.5! text-ink-3" />
        Search or jump to
        <Kbd className="ml-2 font-sans">{modKey("K")}</Kbd>
      </Button>
      <IconButton label="Search or jump to" className="lg:not-pointer-coarse:hidden" onClick={openPalette}>
        <Search />
      </IconButton>
    </header>
  );
}
