/** A reply's text as Markdown. The renderer loads beside the page; until then the text stands plainly. */
import { memo } from "react";
import { Boundary } from "@/components/boundary";
import { MissingPart } from "@/components/failure";
import { lazyPage } from "@/components/lazy-part";
import { PlainText } from "@/components/markdown/plain-text";
import { PartFailed } from "@/components/part-failed";

const loadRich = () => import("@/components/markdown/rich-markdown");
const RichMarkdown = lazyPage<{ text: string; writing: boolean }>(
  () => loadRich().then((module) => module.RichMarkdown),
  ({ text, writing }) => <PlainText text={text} writing={writing} />,
);

/** Load the renderer before there is a reply to show. */
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
      <RichMarkdown text={text} writing={writing} />
    </Boundary>
  );
});
