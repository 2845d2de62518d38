/** A reply's text as Markdown. The renderer loads beside the page; until then the text stands plainly. */
import { lazy, memo, Suspense } from "react";
import { Boundary } from "@/components/boundary";
import { MissingPart, orMissing } from "@/components/failure";
import { PlainText } from "@/components/markdown/plain-text";
import { PartFailed } from "@/components/part-failed";

const loadRich = () => import("@/components/markdown/rich-markdown");
const RichMarkdown = lazy(() => orMissing(loadRich()).then((module) => ({ default: module.RichMarkdown })));

/** Fetch the renderer as soon as somebody writes, so that the first reply finds it ready. */
export function preloadMarkdown(): void {
  loadRich().catch(() => undefined);
}

interface MarkdownProps {
  text: string;
  /** The text is still being written: a caret follows it and unfinished Markdown is completed. */
  writing?: boolean;
}

export const Markdown = memo(function Markdown({ text, writing = false }: MarkdownProps) {
  return (
    <Boundary
      fallback={(failure) =>
        failure.error instanceof MissingPart ? (
          <>
            <PlainText text={text} writing={writing} />
            <PartFailed {...failure} />
          </>
        ) : (
          <PlainText text={text} writing={writing} excess="fault" />
        )
      }
    >
      <Suspense fallback={<PlainText text={text} writing={writing} />}>
        <RichMarkdown text={text} writing={writing} />
      </Suspense>
    </Boundary>
  );
});
