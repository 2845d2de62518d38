/** A page or drawing that a model wrote, shown on demand where it can reach nothing. */
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { SandboxFrame } from "@/components/sandbox-frame";
import { Button } from "@/ui/button";

const SHOWN = new Set(["html", "htm", "svg", "xhtml"]);

export const canPreview = (language: string): boolean => SHOWN.has(language.toLowerCase());

export function usePreview(code: string, language: string) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return {
    button: (
      <Button size="sm" variant="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
        <Icon aria-hidden="true" />
        Preview
      </Button>
    ),
    frame: shown && (
      <SandboxFrame
        title={`Preview of this ${language.toUpperCase()}`}
        html={code}
        className="block h-80 w-full border-b border-line bg-white"
      />
    ),
  };
}
