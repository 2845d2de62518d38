import { Check, Copy } from "lucide-react";
import { STRINGS } from "@/components/strings";
import { useCopy } from "@/lib/use-copy";
import { IconButton } from "@/ui/icon-button";

export function CopyButton({ text, label = STRINGS.copy }: { text: string; label?: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton size="icon-sm" label={copied ? STRINGS.copied : label} onClick={() => copy(text)}>
      {copied ? <Check className="text-good" /> : <Copy />}
    </IconButton>
  );
}
