/** Markdown with our own elements. HTML stays text; images from elsewhere are not loaded. */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { memo, startTransition, useEffect, useState } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { elements } from "@/components/markdown/elements";
import { STEP_NODES } from "@/components/markdown/limits";
import type { Block } from "@/components/markdown/parse";
import { PlainText } from "@/components/markdown/plain-text";
import { useParsed } from "@/components/markdown/use-parsed";
import { cn } from "@/lib/cn";
import { queueFrame, withdraw } from "@/lib/frame-queue";

/** From so many blocks on, those out of sight are not laid out. */
const MANY_BLOCKS = 150;

export function RichMarkdown({ text, writing }: { text: string; writing: boolean }) {
  const laid = useParsed(text, writing);
  const math = laid?.math ?? false;
  useEffect(() => {
    if (math) import("@/components/markdown/math-styles");
  }, [math]);
  const shown = useShown(laid?.sizes ?? NONE);
  if (!laid) return <PlainText text={text} writing={writing} />;
  if (laid.excess) return <PlainText text={text} writing={writing} excess={laid.excess} />;
  const long = laid.blocks.length > MANY_BLOCKS || shown < laid.blocks.length;
  return (
    <div className={cn("reading", writing && "writing", long && "long-text")}>
      {laid.blocks.slice(0, shown).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

const NONE: number[] = [];

/** How many blocks to show: of a long text more from frame to frame, so that none of them takes long. */
function useShown(sizes: readonly number[]): number {
  const [steps, setSteps] = useState(1);
  let count = 0;
  for (let space = steps * STEP_NODES; count < sizes.length && space > 0; count += 1)
    space -= sizes[count] ?? 0;
  const more = count < sizes.length;
  const [show] = useState(() => () => startTransition(() => setSteps((before) => before + 1)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: one step follows the other
  useEffect(() => {
    if (!more) return;
    queueFrame(show);
    return () => withdraw(show);
  }, [more, steps, show]);
  return count;
}

const BlockView = memo(function BlockView({ block }: { block: Block }) {
  return toJsxRuntime(
    { type: "root", children: [block] },
    { Fragment, jsx, jsxs, components: elements, ignoreInvalidStyle: true },
  );
});
