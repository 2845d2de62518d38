import { X } from "lucide-react";
import { useEffect } from "react";
import { cn } from "@/lib/cn";
import { type Toast, useToasts } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

const SHOWN_MS = 7000;
/** As long as a vote can be undone. */
const ACTION_MS = 10_000;

/** Short messages with at most one action, and the page's voice for screen readers. */
export function Toaster() {
  const { toasts, announcement } = useToasts();
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {announcement}
      </div>
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 top-3 z-50 lg:left-64 flex flex-col items-center gap-2 max-sm:top-28"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const dismiss = useToasts((state) => state.dismiss);
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), toast.action ? ACTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast.id, toast.action, dismiss]);
  return (
    <div
      className={cn(
        "pointer-events-auto flex max-w-[min(440px,100%)] animate-slide-in items-center gap-3 rounded-md border bg-raised py-2 pr-2 pl-3.5 text-sm text-ink shadow-lift",
        toast.tone === "bad" ? "border-bad/50" : "border-line-strong",
      )}
    >
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{toast.text}</span>
      {toast.action && (
        <Button
          size="sm"
          onClick={() => {
            toast.action?.run();
            dismiss(toast.id);
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton size="icon-sm" label="Dismiss" onClick={() => dismiss(toast.id)}>
        <X />
      </IconButton>
    </div>
  );
}
