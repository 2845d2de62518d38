import { Check, Copy } from "lucide-react";
import { useCopy } from "@/lib/use-copy";
import { IconButton } from "@/ui/icon-button";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton size="icon-sm" label={copied ? "Copied" : label} onClick={() => copy(text)}>
      {copied ? <Check className="text-good" /> : <Copy />}
    </IconButton>
  );
}
