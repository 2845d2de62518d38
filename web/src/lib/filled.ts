import { createElement, Fragment, type ReactNode } from "react";

/** Put elements into the places that a text names, so that a translation may order them in its own way:
 *  "Tag models with {tag} to use only those." */
export function filled(text: string, parts: Record<string, ReactNode>): ReactNode[] {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) => createElement(Fragment, { key: piece + index }, index % 2 ? parts[piece] : piece));
}
