/** A fenced code block: language, copy button, and highlighting that loads when first needed. */
import { type CSSProperties, Fragment, memo, useEffect, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import type { Line } from "@/components/markdown/highlighter";
import { ScrollText } from "@/components/scroll-text";

interface CodeBlockProps {
  code: string;
  language: string;
  unfinished?: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, unfinished = false }: CodeBlockProps) {
  const lines = useHighlighted(code, language, unfinished);
  const copy = !unfinished && <CopyButton text={code} label="Copy code" />;
  return (
    <div className="code-block group relative">
      {language ? (
        <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3.5 text-xs text-ink-3">
          <span className="font-mono">{language}</span>
          {copy}
        </div>
      ) : (
        <div className="absolute top-1.5 right-1.5 rounded-sm bg-page opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          {copy}
        </div>
      )}
      <ScrollText label={language ? `Code, ${language}` : "Code"}>
        <code>{lines ? lines.map(codeLine) : code}</code>
      </ScrollText>
    </div>
  );
});

/** Lines and tokens never move, so their place is their key. */
function codeLine(line: Line, number: number) {
  return (
    <Fragment key={number}>
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
    </Fragment>
  );
}

/** The highlighted lines; while code is being written, the finished lines keep their colours. */
function useHighlighted(code: string, language: string, unfinished: boolean): Line[] | null {
  const [done, setDone] = useState<{ code: string; lines: Line[] } | null>(null);
  useEffect(() => {
    if (!language) return;
    let here = true;
    const timer = setTimeout(
      () => {
        import("@/components/markdown/highlighter")
          .then((module) => module.highlight(code, language))
          .then((lines) => here && lines && setDone({ code, lines }))
          .catch(() => undefined);
      },
      unfinished ? 60 : 0,
    );
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [code, language, unfinished]);
  if (!done) return null;
  if (done.code === code) return done.lines;
  if (!code.startsWith(done.code)) return null;
  const whole = done.code.split("\n").length - 1;
  const rest = code.split("\n").slice(whole);
  return [...done.lines.slice(0, whole), ...rest.map((text) => [{ text }])];
}
