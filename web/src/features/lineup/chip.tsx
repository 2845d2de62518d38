/** A chip of the composer that opens a choice. */
import { ChevronDown } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

interface ChipProps {
  label: string;
  title: string;
  face: ReactNode;
  bare?: boolean;
  /** Its name is cut where there is no room. */
  gives?: boolean;
  children: (close: () => void) => ReactNode;
}

export function Chip({ label, title, face, bare = false, gives = false, children }: ChipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="chip"
          size="sm"
          className={cn("max-w-72", gives && "min-w-16 sm:shrink")}
          aria-label={label}
          title={title}
        >
          {face}
          {!bare && <ChevronDown aria-hidden="true" className="size-3.5!" />}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={label}
        className="max-h-[min(620px,var(--radix-popover-content-available-height))] w-[min(480px,calc(100vw-24px))] overflow-y-auto"
      >
        <Suspense fallback={<Skeleton className="m-3 h-40" />}>{children(() => setOpen(false))}</Suspense>
      </PopoverContent>
    </Popover>
  );
}
