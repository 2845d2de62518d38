/** Imports a promptfoo config: choose its files, see what would come of it, import. */

import { Upload } from "lucide-react";
import { type ComponentProps, useRef, useState } from "react";
import { type Chosen, configOf } from "@/features/lab/promptfoo-api";
import { PromptfooDialog } from "@/features/lab/promptfoo-dialog";
import { Button } from "@/ui/button";

export function PromptfooImport(
  props: Pick<ComponentProps<typeof Button>, "variant" | "size" | "className">,
) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const take = async (files: readonly File[]) => {
    const texts = Object.fromEntries(
      await Promise.all(files.map(async (file) => [file.name, await file.text()] as const)),
    );
    // Files that are added later go beside the config that is there.
    const name = chosen?.file ?? configOf(Object.keys(texts));
    if (name === undefined) return;
    const text = chosen?.text ?? texts[name] ?? "";
    setChosen({ file: name, text, beside: { ...chosen?.beside, ...texts } });
  };
  const choose = () => input.current?.click();
  return (
    <>
      <Button {...props} onClick={choose}>
        <Upload aria-hidden="true" />
        Import promptfoo file…
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept=".yaml,.yml,.json,.jsonl,.csv,.txt,.md"
        aria-label="promptfoo config and the files that it names"
        className="hidden"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          void take(files);
        }}
      />
      {chosen && <PromptfooDialog chosen={chosen} onAdd={choose} onClose={() => setChosen(null)} />}
    </>
  );
}
