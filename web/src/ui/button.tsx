import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

const variants = {
  primary:
    "bg-ink text-page hover:bg-ink/88 disabled:bg-raised disabled:text-ink-3 border border-transparent",
  outline:
    "bg-button text-ink border border-line-strong hover:bg-hover hover:border-ink-3 disabled:text-ink-3 disabled:hover:bg-button",
  quiet: "text-ink-2 border border-transparent hover:bg-raised hover:text-ink disabled:text-ink-3",
  chip: "rounded-full! border border-line bg-surface text-ink-2 hover:border-line-strong hover:text-ink data-[state=open]:border-line-strong data-[state=open]:text-ink",
};

const sizes = {
  md: "h-8 touch:h-11 px-3 text-sm gap-2",
  sm: "h-7 touch:h-11 touch:min-w-11 touch:justify-center px-2.5 text-xs gap-1.5",
  icon: "size-8 touch:size-11 justify-center",
  "icon-sm": "size-7 touch:size-11 justify-center",
};

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  asChild?: boolean;
}

export function Button({ variant = "outline", size = "md", asChild, className, ...props }: ButtonProps) {
  const Component = asChild ? Slot.Root : "button";
  return (
    <Component
      type={asChild ? undefined : "button"}
      className={cn(
        "inline-flex shrink-0 items-center whitespace-nowrap rounded-sm font-medium transition-colors select-none [&_svg]:size-[15px] [&_svg]:shrink-0",
        variants[variant],
        sizes[size],
        className,
      )}
      {...props}
    />
  );
}
