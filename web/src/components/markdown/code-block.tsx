/** A fenced code block: language, copy button, and highlighting that loads when first needed. */
import { type CSSProperties, memo, useEffect, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import type { Line } from "@/components/markdown/highlighter";

interface CodeBlockProps {
  code: string;
  language: string;
  unfinished?: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, unfinished = false }: CodeBlockProps) {
  const lines = useHighlighted(code, language);
  return (
    <div className="code-block">
      <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3.5 text-xs text-ink-3">
        <span className="font-mono">{language || "text"}</span>
        {!unfinished && <CopyButton text={code} label="Copy code" />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must scroll by keyboard */}
      <pre
        tabIndex={0}
        data-scroll-area
        className="focus-inset"
        aria-label={`Code${language && `, ${language}`}`}
      >
        <code>{lines ? lines.map((line, index) => <CodeLine key={index} line={line} />) : code}</code>
      </pre>
    </div>
  );
});

function CodeLine({ line }: { line: Line }) {
  return (
    <>
      {line.map((token, index) => (
        <span
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
}

/** The highlighted lines; while code is being written, the finished lines keep their colours. */
function useHighlighted(code: string, language: string): Line[] | null {
  const [done, setDone] = useState<{ code: string; lines: Line[] } | null>(null);
  useEffect(() => {
    if (!language) return;
    let here = true;
    const timer = setTimeout(() => {
      import("@/components/markdown/highlighter")
        .then((module) => module.highlight(code, language))
        .then((lines) => here && lines && setDone({ code, lines }))
        .catch(() => undefined);
    }, 60);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  if (!done) return null;
  if (done.code === code) return done.lines;
  if (!code.startsWith(done.code)) return null;
  const whole = done.code.split("\n").length - 1;
  const rest = code.split("\n").slice(whole);
  return [...done.lines.slice(0, whole), ...rest.map((text) => [{ text }])];
}
