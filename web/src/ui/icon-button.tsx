import type { ReactNode } from "react";
import { Button, type ButtonProps } from "@/ui/button";
import { Tooltip } from "@/ui/tooltip";

/** A button that shows only an icon; its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  hint,
  side,
  size = "icon",
  variant = "quiet",
  ...props
}: Omit<ButtonProps, "aria-label"> & {
  label: string;
  hint?: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
}) {
  return (
    <Tooltip label={hint ?? label} {...(side && { side })}>
      <Button variant={variant} size={size} aria-label={label} {...props} />
    </Tooltip>
  );
}
