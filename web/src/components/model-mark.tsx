/** Whose a model is: its maker's monogram in the maker's colour. */

import { cn } from "@/lib/cn";
import { markOf } from "@/lib/series";

const SIZES = {
  sm: "size-[22px] rounded-sm text-[11px]",
  md: "size-[30px] rounded-md text-[13px]",
  lg: "size-[52px] rounded-[13px] text-[22px]",
};

interface ModelMarkProps {
  organization: string;
  /** The model's; its letters stand for a maker that nobody knows. */
  name: string;
  size?: keyof typeof SIZES;
  className?: string;
}

export function ModelMark({ organization, name, size = "sm", className }: ModelMarkProps) {
  const { letters, back, ink } = markOf(organization, name);
  return (
    <i
      aria-hidden="true"
      data-mark
      title={organization || undefined}
      className={cn(
        "inline-flex shrink-0 items-center justify-center leading-none font-semibold tracking-tight not-italic select-none",
        back
          ? "shadow-[inset_0_0_0_1px_rgb(255_255_255/0.14)]"
          : "border border-dashed border-line-strong text-ink-3",
        SIZES[size],
        className,
      )}
      style={back ? { background: back, color: ink } : undefined}
    >
      {letters}
    </i>
  );
}
