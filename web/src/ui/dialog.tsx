import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type FocusEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { isTextField, TypedText } from "@/ui/typed-text";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Show the title, and a button to close; otherwise only screen readers hear the title. */
  titled?: boolean;
  className?: string;
  children: ReactNode;
}

const CONTENT =
  "fixed left-1/2 z-40 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 animate-fade-in overflow-hidden rounded-lg border border-line-strong bg-surface shadow-lift outline-none";

/** What can be typed into; a combobox is a search in a list, whatever its type. */
const FIELDS = "input:not([role=combobox]), textarea";

/** A window over the page. Escape, a click beside it and the cross ask once where typed text would be lost. */
export function Dialog({ open, onOpenChange, title, titled, className, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLElement | null>(null);
  const [typed] = useState(() => new TypedText());
  const [asking, setAsking] = useState(false);
  const change = (next: boolean) => {
    const fields = content.current?.querySelectorAll<HTMLInputElement>(FIELDS) ?? [];
    if (next || !typed.isIn(fields)) return onOpenChange(next);
    field.current = isTextField(document.activeElement) ? document.activeElement : null;
    setAsking(true);
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil" />
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          onFocusCapture={({ target }: FocusEvent) => isTextField(target) && typed.begin(target)}
          className={cn(CONTENT, "top-[12vh] max-h-[76vh]", className)}
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
                aria-label="Close"
                className="absolute top-3 right-3 text-ink-3"
              >
                <X />
              </Button>
            </Radix.Close>
          )}
          <DiscardQuestion
            open={asking}
            field={field}
            onKeep={() => setAsking(false)}
            onDiscard={() => {
              setAsking(false);
              onOpenChange(false);
            }}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface DiscardQuestionProps {
  open: boolean;
  /** Where the person goes on typing. */
  field: RefObject<HTMLElement | null>;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asks before what was typed is lost. */
export function DiscardQuestion({ open, field, onKeep, onDiscard }: DiscardQuestionProps) {
  return (
    <Radix.Root open={open} onOpenChange={onKeep}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil/50" />
        <Radix.Content
          role="alertdialog"
          onCloseAutoFocus={() => field.current?.focus()}
          className={cn(CONTENT, "top-[24vh] max-w-sm p-5")}
        >
          <Radix.Title className="text-lg font-semibold">Discard what you typed?</Radix.Title>
          <Radix.Description className="pt-1.5 pb-5 text-sm text-ink-2">
            It isn’t saved yet.
          </Radix.Description>
          <div className="flex justify-end gap-2">
            <Button onClick={onKeep}>Keep editing</Button>
            <Button className="text-bad" onClick={onDiscard}>
              Discard
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A panel that slides in from a side on small screens. */
export function Drawer({ open, onOpenChange, title, className, children }: DialogProps) {
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
          className={cn(
            "fixed inset-y-0 z-40 animate-drawer-in border-line bg-surface shadow-lift outline-none",
            className ?? "left-0 w-[min(300px,86vw)] border-r",
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
