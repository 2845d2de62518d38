/** A chip of the composer that opens a choice. */
import { ChevronDown } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { AwaitedField } from "@/components/awaited-field";
import { lazyPart } from "@/components/lazy-part";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

/** What a chip opens; loads when it is first opened. */
export const chosenPart = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazyPart(load, <AwaitedField />);

interface ChipProps {
  label: string;
  title: string;
  face: ReactNode;
  bare?: boolean;
  /** An icon without a frame. */
  quiet?: boolean;
  children: (close: () => void) => ReactNode;
}

export function Chip({ label, title, face, bare = false, quiet = false, children }: ChipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant={quiet ? "quiet" : "chip"}
          size={quiet ? "icon-sm" : "sm"}
          className="max-w-full"
          aria-label={label}
          title={title}
        >
          {face}
          {!bare && !quiet && <ChevronDown aria-hidden="true" className="size-3.5!" />}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={label}
        className="max-h-[min(620px,var(--radix-popover-content-available-height))] w-[min(480px,calc(100vw-24px))] overflow-y-auto"
      >
        {children(() => setOpen(false))}
      </PopoverContent>
    </Popover>
  );
}
