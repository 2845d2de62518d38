/** A fenced code block: language, copy button, and highlighting that loads when first needed. */

import { type CSSProperties, memo, startTransition, useEffect, useMemo, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import type { Line } from "@/components/markdown/highlighter";
import { MAX_LINE } from "@/components/markdown/limits";
import { cut } from "@/components/markdown/pieces";
import { PlainText } from "@/components/markdown/plain-text";
import { canPreview, usePreview } from "@/components/markdown/preview";
import { useHighlighted } from "@/components/markdown/use-highlighted";
import { ScrollText } from "@/components/scroll-text";
import { cn } from "@/lib/cn";
import { queueFrame, withdraw } from "@/lib/frame-queue";

interface CodeBlockProps {
  code: string;
  language: string;
  unfinished?: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, unfinished = false }: CodeBlockProps) {
  const name = language.slice(0, 30);
  const finished = useCopyable(!unfinished);
  const copy = finished && <CopyButton text={code} label="Copy code" />;
  const preview = usePreview(code, name);
  const offered = finished && canPreview(name);
  return (
    <div className="code-block group relative">
      {name ? (
        <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3.5 text-xs text-ink-3">
          <span className="flex-1 truncate font-mono">{name}</span>
          {offered && preview.button}
          {copy}
        </div>
      ) : (
        <div className="absolute top-1.5 right-1.5 z-1 rounded-sm bg-page opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          {copy}
        </div>
      )}
      {offered && preview.frame}
      <ScrollText label={name ? `Code, ${name}` : "Code"}>
        <Code code={code} language={language} unfinished={unfinished} />
      </ScrollText>
    </div>
  );
});

/** Code that has just been finished gets its button in a frame of its own: both together would fill one. */
function useCopyable(finished: boolean): boolean {
  const [shown, setShown] = useState(finished);
  const [show] = useState(() => () => startTransition(() => setShown(true)));
  useEffect(() => {
    if (!finished || shown) return;
    queueFrame(show);
    return () => withdraw(show);
  }, [finished, shown, show]);
  return finished && shown;
}

const HUGE_LINE = new RegExp(`[^\\n]{${MAX_LINE * 4}}`);
/** Lines that are drawn together. */
const GROUP = 60;

function Code({ code, language, unfinished }: Required<CodeBlockProps>) {
  const lines = useHighlighted(code, language, unfinished);
  const hasHugeLine = useMemo(() => HUGE_LINE.test(code), [code]);
  const groups = useMemo(() => (lines ? inGroups(lines) : null), [lines]);
  const pieces = useMemo(() => (groups || hasHugeLine ? [] : cut(code)), [code, groups, hasHugeLine]);
  // A line without an end is wrapped, since a browser lays out a line in one go.
  if (hasHugeLine) return <PlainText text={code} />;
  if (groups) {
    return (
      <code className={cn(groups.length > 1 && "in-pieces")}>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <Lines key={index} lines={group} />
        ))}
      </code>
    );
  }
  if (pieces.length < 2) return <code>{code}</code>;
  return (
    <code className="in-pieces">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
        <span key={index}>{piece}</span>
      ))}
    </code>
  );
}

function inGroups(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [];
  for (let start = 0; start < lines.length; start += GROUP) groups.push(lines.slice(start, start + GROUP));
  return groups;
}

/** Lines and tokens never move, so their place is their key. */
const Lines = memo(
  function Lines({ lines }: { lines: readonly Line[] }) {
    return (
      <span>
        {lines.map((line, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <CodeLine key={number} line={line} />
        ))}
      </span>
    );
  },
  (before, after) =>
    before.lines.length === after.lines.length &&
    before.lines.every((line, index) => line === after.lines[index]),
);

const CodeLine = memo(function CodeLine({ line }: { line: Line }) {
  return (
    <>
      {line.map((token, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens never move
          key={index}
          className={token.dark ? "tok" : undefined}
          style={{ "--tok-dark": token.dark, "--tok-light": token.light } as CSSProperties}
        >
          {token.text}
        </span>
      ))}
      {"\n"}
    </>
  );
});
