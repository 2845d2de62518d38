/** A member's answer with its sentences coloured by how far the others agree. */
import { type PointerEvent, useCallback, useMemo, useRef } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { alignSentences } from "@/features/consortium/align-text";
import { isHighlighted, useHighlight } from "@/features/consortium/highlight";
import type { Sentence } from "@/features/consortium/notes";
import { type TextHighlight, useTextHighlights } from "@/features/consortium/text-highlights";

interface MemberTextProps {
  seat: string;
  answer: string;
  writing: boolean;
  /** Null while nothing is known of agreement, or where it is not to be shown. */
  sentences: readonly Sentence[] | null;
}

export function MemberText({ seat, answer, writing, sentences }: MemberTextProps) {
  const root = useRef<HTMLDivElement>(null);
  const { highlighted, highlight } = useHighlight();
  const align = useMemo(
    () => sentences && remembering((text: string) => alignSentences(answer, sentences, text)),
    [answer, sentences],
  );
  const find = useMemo(
    () =>
      align &&
      ((text: string): TextHighlight[] =>
        align(text).map((each) => ({ ...each, name: `agree-${each.kind}` }))),
    [align],
  );
  const rendered = useTextHighlights(root, find);
  const findHighlighted = useMemo(
    () =>
      align &&
      highlighted &&
      ((text: string): TextHighlight[] =>
        align(text)
          .filter((each) => isHighlighted(highlighted, seat, each.index, each.group))
          .map((each) => ({ ...each, name: "agree-lit" }))),
    [align, highlighted, seat],
  );
  useTextHighlights(root, findHighlighted);

  const onPointerMove = useCallback(
    ({ clientX, clientY }: PointerEvent) => {
      const text = rendered.current;
      if (!align || !text) return;
      const at = text.offsetAt(clientX, clientY);
      const found = at < 0 ? undefined : align(text.text).find(({ start, end }) => start <= at && at <= end);
      const next = found ? { seat, index: found.index, group: found.group } : null;
      if (next?.index !== highlighted?.index || next?.seat !== highlighted?.seat) highlight(next);
    },
    [align, rendered, seat, highlighted, highlight],
  );
  return (
    <div
      ref={root}
      className="member-text"
      onPointerMove={align ? onPointerMove : undefined}
      onPointerLeave={align ? () => highlight(null) : undefined}
    >
      <Markdown text={answer} writing={writing} />
    </div>
  );
}

/** The same for the same text as before: a pointer that moves asks again and again. */
function remembering<T>(make: (text: string) => T): (text: string) => T {
  let last: { text: string; made: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}
