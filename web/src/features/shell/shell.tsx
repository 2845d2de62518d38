/** Sidebar, page, palette, shortcuts, messages. */

import { useNavigate, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { Boundary } from "@/components/boundary";
import { useAreas } from "@/components/join-areas";
import { lazyPage } from "@/components/lazy-part";
import { FrameContext } from "@/components/page-header";
import { PartFailed } from "@/components/part-failed";
import { PaletteDialog } from "@/features/palette/palette-dialog";
import { JobTray } from "@/features/shell/job-tray";
import { ServerStrip } from "@/features/shell/server-strip";
import { closeSessionDialog, useSessionDialog } from "@/features/sidebar/dialog-store";
import { Sidebar } from "@/features/sidebar/sidebar";
import { cn } from "@/lib/cn";
import { takeOverKeys } from "@/lib/early-search";
import { focusComposer } from "@/lib/focus-composer";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { letterOf } from "@/lib/key-position";
import { useStored } from "@/lib/local-storage";
import { useDesktop } from "@/lib/use-media";
import { Dialog, Drawer } from "@/ui/dialog";
import { Toaster } from "@/ui/toaster";

const Rail = lazyPage(() => import("@/features/sidebar/rail").then((part) => part.Rail));
const SessionDialog = lazyPage(() =>
  import("@/features/sidebar/sidebar-chunk").then(({ PARTS }) => PARTS.SessionDialog),
);
const Shortcuts = lazyPage(() => import("@/features/palette/shortcuts").then((part) => part.Shortcuts));

export function Shell({ children }: { children: ReactNode }) {
  const desktop = useDesktop();
  const [pinned, setPinned] = useStored("sidebar", true);
  const [drawer, setDrawer] = useState(false);
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  const dialog = useSessionDialog();
  const navigate = useNavigate();
  const { nav } = useAreas();

  const toggleSidebar = useCallback(() => {
    if (desktop) setPinned(!pinned);
    else setDrawer((open) => !open);
  }, [desktop, pinned, setPinned]);
  const openPalette = useCallback(() => setOverlay("palette"), []);
  const openShortcuts = useCallback(() => setOverlay("shortcuts"), []);
  const startNew = useCallback(() => navigate({ to: "/", search: {} }).then(focusComposer), [navigate]);
  useCloseOnNavigation(setDrawer);
  useLayoutEffect(() => {
    if (takeOverKeys()) openPalette();
  }, [openPalette]);

  useHotkeys(
    {
      ...Object.fromEntries(nav.map(({ shortcut, link }) => [shortcut, () => navigate(link)])),
      n: startNew,
      "?": openShortcuts,
      "/": focusComposer,
    },
    (event) => !typing(event.target) && !overlayOpen(),
  );
  useModKeys({
    k: () => setOverlay((now) => (now === "palette" ? null : "palette")),
    b: toggleSidebar,
  });

  const frame = useMemo(
    () => ({ sidebarShown: desktop, toggleSidebar, openPalette, openShortcuts }),
    [desktop, toggleSidebar, openPalette, openShortcuts],
  );
  const Side = desktop && !pinned ? Rail : Sidebar;
  const sidebar = (
    <Boundary fallback={(failure) => <PartFailed {...failure} />}>
      <Side onNew={startNew} onCollapse={toggleSidebar} onShortcuts={openShortcuts} />
    </Boundary>
  );
  return (
    <FrameContext value={frame}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-sm bg-ink px-3 py-1.5 text-sm text-page focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="relative flex h-dvh overflow-clip">
        {desktop && (
          <aside
            aria-label={pinned ? "Sessions" : "Sidebar"}
            className={cn("shrink-0 border-r border-line bg-surface", pinned ? "w-66" : "w-13")}
          >
            {sidebar}
          </aside>
        )}
        <Drawer open={!desktop && drawer} onOpenChange={setDrawer} title="Sessions">
          {sidebar}
        </Drawer>
        <main
          id="main"
          tabIndex={-1}
          className="relative flex h-dvh min-w-0 flex-1 flex-col overflow-clip outline-none"
        >
          <ServerStrip />
          <JobTray />
          {children}
        </main>
      </div>
      <Overlay key={overlay} onClose={() => setOverlay(null)}>
        {overlay === "palette" && <PaletteDialog onClose={() => setOverlay(null)} />}
        {overlay === "shortcuts" && <Shortcuts onClose={() => setOverlay(null)} />}
      </Overlay>
      <Overlay key={dialog?.about} onClose={closeSessionDialog}>
        {dialog && <SessionDialog {...dialog} />}
      </Overlay>
      <Toaster />
    </FrameContext>
  );
}

/** What lies over the page; where it can’t be loaded, a window says so. */
function Overlay({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Boundary
      fallback={(failure) => (
        <Dialog open onOpenChange={onClose} title="Couldn’t open">
          <PartFailed {...failure} />
        </Dialog>
      )}
    >
      {children}
    </Boundary>
  );
}

function useCloseOnNavigation(setOpen: (open: boolean) => void): void {
  const place = useRouterState({ select: (state) => state.location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setOpen(false), [place, setOpen]);
}

/** Shortcuts with Ctrl or Cmd work everywhere, also while typing. */
function useModKeys(handlers: Record<string, () => void>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      const handler = handlers[letterOf(event) ?? ""];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
