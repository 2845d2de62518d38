import { create } from "zustand";

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "bad";
  action?: { label: string; run: () => void };
}

interface ToastStore {
  toasts: Toast[];
  announcement: string;
  show: (text: string, options?: Partial<Pick<Toast, "tone" | "action">>) => void;
  dismiss: (id: number) => void;
  announce: (text: string) => void;
}

let next = 1;

export const useToasts = create<ToastStore>()((set) => ({
  toasts: [],
  announcement: "",
  show: (text, options) => {
    const toast: Toast = { id: next++, text, tone: "plain", ...options };
    set(({ toasts }) => ({ toasts: [...toasts.slice(-2), toast] }));
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  announce: (announcement) => set({ announcement }),
}));

export const { show: showToast, announce } = useToasts.getState();
