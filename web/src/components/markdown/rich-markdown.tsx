/** Markdown by Streamdown with our own elements. HTML stays text; images from elsewhere are not loaded. */
import { useEffect, useMemo, useState } from "react";
import { type MathPlugin, Streamdown } from "streamdown";
import { elements } from "@/components/markdown/elements";
import { mayHoldMath, normaliseMath } from "@/components/markdown/math-delimiters";
import { useOwnTurn } from "@/components/markdown/use-own-turn";
import { cn } from "@/lib/cn";

const SAFE_LINK = /^(https?:|mailto:|#)/i;
const safeUrl = (url: string) => (SAFE_LINK.test(url) ? url : "");

let mathPlugin: MathPlugin | null = null;
const loadMath = async () => {
  mathPlugin ??= (await import("@/components/markdown/math")).math;
  return mathPlugin;
};

export function RichMarkdown({ text, writing }: { text: string; writing: boolean }) {
  const shown = useOwnTurn(text, writing);
  const hasMath = useMemo(() => mayHoldMath(shown), [shown]);
  const math = useMath(hasMath);
  const source = useMemo(() => (hasMath ? normaliseMath(shown) : shown), [shown, hasMath]);
  const plugins = useMemo(() => (math ? { math } : {}), [math]);
  return (
    <Streamdown
      className={cn("reading", writing && "writing")}
      components={elements}
      // Block by block also when it is done: another mode would build everything anew at the end.
      mode="streaming"
      parseIncompleteMarkdown={writing}
      plugins={plugins}
      rehypePlugins={NO_PLUGINS}
      urlTransform={safeUrl}
      controls={false}
    >
      {source}
    </Streamdown>
  );
}

const NO_PLUGINS: [] = [];

/** The maths renderer, loaded when a text first needs it. */
function useMath(wanted: boolean): MathPlugin | null {
  const [plugin, setPlugin] = useState(mathPlugin);
  useEffect(() => {
    let here = true;
    if (wanted && !plugin)
      loadMath().then(
        (loaded) => here && setPlugin(loaded),
        () => undefined,
      );
    return () => {
      here = false;
    };
  }, [wanted, plugin]);
  return wanted ? plugin : null;
}
