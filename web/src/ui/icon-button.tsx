import { Button, type ButtonProps } from "@/ui/button";
import { type Side, tooltip } from "@/ui/tooltip";

/** A button that shows only an icon; its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  hint = label,
  side,
  size = "icon",
  variant = "quiet",
  ...props
}: Omit<ButtonProps, "aria-label"> & { label: string; hint?: string; side?: Side }) {
  return <Button variant={variant} size={size} aria-label={label} {...tooltip(hint, side)} {...props} />;
}
