/** The elements of a rendered reply; `markdown.css` gives them their look. */

import type { Components } from "hast-util-to-jsx-runtime";
import { ImageOff } from "lucide-react";
import type { ComponentProps } from "react";
import { CodeBlock } from "@/components/markdown/code-block";
import { Diagram } from "@/components/markdown/diagram";
import { MAX_DIAGRAM } from "@/components/markdown/limits";

type Props<K extends keyof React.JSX.IntrinsicElements> = ComponentProps<K> & { node?: unknown };

/** A plain element: its look comes from the style sheet, not from what the parser names it. */
function plain<
  K extends "p" | "ul" | "ol" | "li" | "blockquote" | "hr" | "strong" | "sup" | "sub" | "section",
>(Tag: K) {
  return function Plain({ node: _, className: __, ...props }: Props<K>) {
    const Element = Tag as "p";
    return <Element {...(props as ComponentProps<"p">)} />;
  };
}

/** Headings of a reply stand below those of the page. */
function heading(level: 1 | 2 | 3 | 4 | 5 | 6) {
  const Tag = `h${level}` as const;
  return ({ node: _, className: __, ...props }: Props<"h1">) => <Tag {...props} />;
}

const SAFE_LINK = /^(https?:|mailto:|#)/i;

function Link({ node: _, className: __, href, children, ...props }: Props<"a">) {
  if (!href || !SAFE_LINK.test(href)) return <span>{children}</span>;
  return (
    <a {...props} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A picture from another host would tell that host who reads, so only its description is shown. */
function Picture({ alt }: Props<"img">) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-xs border border-line px-1.5 text-xs text-ink-2">
      <ImageOff aria-hidden="true" className="size-3" />
      {alt ? `Image: ${alt} (not loaded)` : "Image (not loaded)"}
    </span>
  );
}

function Table({ node: _, className: __, ...props }: Props<"table">) {
  return (
    <div role="group" className="table-scroll" tabIndex={0} data-scroll-area aria-label="Table">
      <table {...props} />
    </div>
  );
}

function cell(Tag: "thead" | "tbody" | "tr" | "th" | "td") {
  return ({ node: _, className: __, ...props }: Props<"td">) => {
    const Element = Tag as "td";
    return <Element {...props} />;
  };
}

interface CodeProps {
  "data-code"?: string;
  "data-language"?: string;
  "data-unfinished"?: boolean;
}

/** Code comes as a property, see `parse.ts`. */
function Block({
  "data-code": code = "",
  "data-language": language = "",
  "data-unfinished": unfinished = false,
}: CodeProps) {
  if (language === "mermaid" && code.length <= MAX_DIAGRAM)
    return <Diagram source={code} unfinished={unfinished} />;
  return <CodeBlock code={code} language={language} unfinished={unfinished} />;
}

function Checkbox({ checked }: Props<"input">) {
  return (
    <input
      type="checkbox"
      disabled
      checked={checked ?? false}
      readOnly
      aria-label={checked ? "Done" : "Open"}
    />
  );
}

export const elements = {
  p: plain("p"),
  ul: plain("ul"),
  ol: plain("ol"),
  li: plain("li"),
  blockquote: plain("blockquote"),
  hr: plain("hr"),
  strong: plain("strong"),
  sup: plain("sup"),
  sub: plain("sub"),
  section: plain("section"),
  h1: heading(3),
  h2: heading(4),
  h3: heading(5),
  h4: heading(6),
  h5: heading(6),
  h6: heading(6),
  a: Link,
  img: Picture,
  table: Table,
  thead: cell("thead"),
  tbody: cell("tbody"),
  tr: cell("tr"),
  th: cell("th"),
  td: cell("td"),
  input: Checkbox,
  pre: Block,
} as Components;
