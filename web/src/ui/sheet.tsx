/** A panel that rises from the foot of a phone's screen. */

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "@/ui/button";

export const Sheet = Radix.Root;
export const SheetTrigger = Radix.Trigger;

export function SheetContent({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil" />
      <Radix.Content
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => {
          // The sheet itself takes the focus: its first field would open the keyboard over it.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
        className="fixed inset-x-0 bottom-0 z-40 flex max-h-[86dvh] animate-slide-in flex-col rounded-t-lg border-t border-line-strong bg-surface shadow-lift outline-none"
      >
        <div className="flex items-center justify-between border-b border-line py-1.5 pr-2 pl-4">
          <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
          <Radix.Close asChild>
            <Button variant="quiet" size="icon" aria-label="Close" className="text-ink-3">
              <X />
            </Button>
          </Radix.Close>
        </div>
        <div className="flex flex-col gap-3.5 overflow-y-auto px-4 pt-3.5 pb-[max(16px,env(safe-area-inset-bottom))]">
          {children}
        </div>
      </Radix.Content>
    </Radix.Portal>
  );
}
