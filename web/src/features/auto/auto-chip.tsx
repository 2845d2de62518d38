/** Lets Auto choose who answers; pressed again, a model is chosen by hand. */
import { Route } from "lucide-react";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";

export function AutoChip({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  return (
    <Button
      variant="chip"
      size="sm"
      aria-pressed={on}
      title="Auto chooses the model by what the question needs"
      className={cn(on && "border-accent! text-ink!")}
      onClick={onToggle}
    >
      <Route aria-hidden="true" />
      Auto
    </Button>
  );
}
