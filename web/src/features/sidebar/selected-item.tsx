/** A session in the list while several are selected. */
import { useEffect, useRef } from "react";
import type { SessionCard } from "@/api/types";
import { Checkbox } from "@/ui/checkbox";

interface SelectedItemProps {
  session: SessionCard;
  selected: boolean;
  onSelect: (session: SessionCard) => void;
}

export function SelectedItem({ session, selected, onSelect }: SelectedItemProps) {
  const box = useRef<HTMLInputElement>(null);
  // The menu in which it was chosen is gone, and the button that opened it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it is at first
  useEffect(() => {
    if (!selected) return;
    const timer = setTimeout(() => document.activeElement === document.body && box.current?.focus(), 0);
    return () => clearTimeout(timer);
  }, []);
  return (
    <label className="flex min-h-8 touch:min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-ink-2 hover:bg-raised hover:text-ink">
      <Checkbox ref={box} checked={selected} onChange={() => onSelect(session)} />
      <span className="min-w-0 flex-1 truncate">{session.title}</span>
    </label>
  );
}
