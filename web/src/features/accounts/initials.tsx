/** A person's face: the initials of their name in a circle. */
import { cn } from "@/lib/cn";

export function Initials({ name, className }: { name: string; className?: string }) {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.at(0) ?? "");
  return (
    <span
      aria-hidden="true"
      className={cn(
        "flex size-7 shrink-0 items-center justify-center rounded-full bg-raised text-[11px] font-medium text-ink-2",
        className,
      )}
    >
      {letters.join("").toUpperCase()}
    </span>
  );
}
