import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { STRINGS } from "@/ui/strings";

export const DialogTitle = Radix.Title;

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Show the title, and a button to close; otherwise only screen readers hear the title. */
  titled?: boolean;
  className?: string;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, titled, className, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          className={cn(
            "fixed top-[12vh] left-1/2 z-40 max-h-[76vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 animate-fade-in overflow-hidden rounded-lg border border-line-strong bg-surface shadow-lift outline-none",
            className,
          )}
        >
          <Radix.Title className={titled ? "pt-4 pr-14 pl-5 text-lg font-semibold" : "sr-only"}>
            {title}
          </Radix.Title>
          {children}
          {/* Last, so that the first field takes the focus; without a tooltip, which would open where there is none. */}
          {titled && (
            <Radix.Close asChild>
              <Button
                variant="quiet"
                size="icon"
                aria-label={STRINGS.close}
                className="absolute top-3 right-3 text-ink-3"
              >
                <X />
              </Button>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A panel that slides in from the left on small screens. */
export function Drawer({ open, onOpenChange, title, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // The drawer itself takes the focus: its first button would open its tooltip.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          className="fixed inset-y-0 left-0 z-40 w-[min(300px,86vw)] animate-drawer-in border-r border-line bg-surface shadow-lift outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
