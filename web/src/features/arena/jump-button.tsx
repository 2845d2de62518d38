import { ArrowDown } from "lucide-react";
import { Button } from "@/ui/button";

export function JumpButton({ shown, onJump }: { shown: boolean; onJump: () => void }) {
  if (!shown) return null;
  return (
    <Button
      size="sm"
      variant="chip"
      className="absolute bottom-3 left-1/2 -translate-x-1/2 animate-fade-in border-line-strong bg-raised shadow-lift"
      onClick={onJump}
    >
      <ArrowDown />
      Jump to latest
    </Button>
  );
}
