/** The open dialog about sessions. It is kept outside the sidebar, which a narrow window takes away. */
import { create } from "zustand";
import type { SessionCard } from "@/api/types";

export interface OpenDialog {
  about: "tags" | "export" | "share";
  sessions: SessionCard[];
  onClosed?: () => void;
}

const useStore = create<{ open: OpenDialog | null }>()(() => ({ open: null }));

export const openSessionDialog = (open: OpenDialog) => useStore.setState({ open });

export function closeSessionDialog(): void {
  const { open } = useStore.getState();
  useStore.setState({ open: null });
  open?.onClosed?.();
}

export const isSessionDialogOpen = () => useStore.getState().open !== null;

export const useSessionDialog = () => useStore((state) => state.open);
