/** A text as it was written, whole, laid out piece by piece; where it would be Markdown, it says why it is not. */

import { memo, useMemo } from "react";
import { CopyButton } from "@/components/copy-button";
import { EXCESS, type Excess } from "@/components/markdown/limits";
import { cut } from "@/components/markdown/pieces";
import { cn } from "@/lib/cn";

interface PlainTextProps {
  text: string;
  writing?: boolean;
  excess?: Excess;
}

export function PlainText({ text, writing = false, excess }: PlainTextProps) {
  const pieces = useMemo(() => cut(text), [text]);
  return (
    <>
      {excess && (
        <p role="note" className="mb-2 flex items-center gap-1 text-sm text-ink-2">
          Shown as plain text: {EXCESS[excess]}.{!writing && <CopyButton text={text} label="Copy the text" />}
        </p>
      )}
      <div className={cn("reading plain-text", writing && "writing-plain")}>
        {pieces.length > 1 ? pieces.map((piece, index) => <Piece key={String(index)} text={piece} />) : text}
      </div>
    </>
  );
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="piece">{text}</div>;
});
