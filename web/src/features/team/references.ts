/** References to statements in a text, as "[2.1 Critic]", made into links. Pure. */

import { anchorId } from "@/features/rounds/anchors";

/** What must stay as it is: code, and links that are there already. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
const IN_BRACKETS =
  /(?<!^ {0,3})\[([^[\]\n]{1,200})\](?!\()|^ {0,3}\[([^[\]\n]{1,200})\](?![(:])|\((\d{1,3}\.\d{1,3} [^()\n]{1,100})\)/gm;
const REFERENCE = /(?<![\d.])([1-9]\d{0,2}\.[1-9]\d{0,2})(?![\d.]*\d)([^,;]*)/g;

/** The text with a link at each reference that is known; others stay as they were written. */
export function linkReferences(text: string, known: ReadonlySet<string>, question: string): string {
  if (known.size === 0) return text;
  const links = (inside: string) => {
    let found = false;
    const linked = inside.replace(REFERENCE, (all, ref: string, name: string) => {
      if (!known.has(ref)) return all;
      found = true;
      const label = `${ref}${name}`.trimEnd();
      return `[${label}](#${anchorId(question, ref)})${all.slice(label.length)}`;
    });
    return found ? linked : null;
  };
  return text
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            IN_BRACKETS,
            (all, ...inside: (string | undefined)[]) => links(inside.slice(0, 3).find(Boolean) ?? "") ?? all,
          ),
    )
    .join("");
}

const CLOSING = /(?:\n[\W_]{0,6}(?:answers|position|changed my mind)\b[^\n]*){1,3}\s*$/i;

/** A statement that is being written, without the lines at its end that are read apart from it. */
export const withoutClosing = (text: string): string => text.replace(CLOSING, "");
