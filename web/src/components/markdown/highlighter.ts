/** In a worker: Shiki with its JavaScript regex engine (no WebAssembly) and a sensible set of languages, each a chunk. */
import { createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { MAX_LINE } from "@/components/markdown/limits";

export interface Token {
  text: string;
  dark?: string;
  light?: string;
}
export type Line = Token[];

const languages: Record<string, () => Promise<unknown>> = {
  bash: () => import("@shikijs/langs/bash"),
  c: () => import("@shikijs/langs/c"),
  cpp: () => import("@shikijs/langs/cpp"),
  csharp: () => import("@shikijs/langs/csharp"),
  css: () => import("@shikijs/langs/css"),
  diff: () => import("@shikijs/langs/diff"),
  docker: () => import("@shikijs/langs/docker"),
  go: () => import("@shikijs/langs/go"),
  html: () => import("@shikijs/langs/html"),
  java: () => import("@shikijs/langs/java"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  jsx: () => import("@shikijs/langs/jsx"),
  kotlin: () => import("@shikijs/langs/kotlin"),
  lua: () => import("@shikijs/langs/lua"),
  markdown: () => import("@shikijs/langs/markdown"),
  php: () => import("@shikijs/langs/php"),
  powershell: () => import("@shikijs/langs/powershell"),
  python: () => import("@shikijs/langs/python"),
  r: () => import("@shikijs/langs/r"),
  ruby: () => import("@shikijs/langs/ruby"),
  rust: () => import("@shikijs/langs/rust"),
  sql: () => import("@shikijs/langs/sql"),
  swift: () => import("@shikijs/langs/swift"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  xml: () => import("@shikijs/langs/xml"),
  yaml: () => import("@shikijs/langs/yaml"),
};

const aliases: Record<string, string> = {
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  console: "bash",
  dockerfile: "docker",
  golang: "go",
  htm: "html",
  js: "javascript",
  jsonc: "json",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

let core: Promise<HighlighterCore> | null = null;

function highlighter(): Promise<HighlighterCore> {
  core ??= createHighlighterCore({
    themes: [import("@shikijs/themes/github-dark-default"), import("@shikijs/themes/github-light-default")],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return core;
}

export interface Loaded {
  shiki: HighlighterCore;
  name: string;
}

/** Fetch what a language needs; null for one that is not in the set. */
export async function loadLanguage(language: string): Promise<Loaded | null> {
  const wanted = language.toLowerCase();
  const name = Object.hasOwn(aliases, wanted) ? (aliases[wanted] ?? wanted) : wanted;
  const load = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (!load) return null;
  const shiki = await highlighter();
  if (!shiki.getLoadedLanguages().includes(name)) await shiki.loadLanguage(load as LanguageInput);
  return { shiki, name };
}

/** The code's tokens with a colour per theme. */
export function tokenize(code: string, { shiki, name }: Loaded): Line[] {
  const lines = shiki.codeToTokensWithThemes(code, {
    lang: name,
    themes: { dark: "github-dark-default", light: "github-light-default" },
    tokenizeMaxLineLength: MAX_LINE,
    // A line that is given up in its middle colours all that follow wrongly; the worker has a limit of its own.
    tokenizeTimeLimit: 0,
  });
  return lines.map((line) =>
    joined(
      line.map((token) => ({
        text: token.content,
        dark: token.variants.dark?.color ?? "",
        light: readable(token.variants.light?.color ?? ""),
      })),
    ),
  );
}

/** Neighbours of the same colours as one token, spaces with what stands beside them: each becomes an element. */
function joined(line: Line): Line {
  const tokens: Line = [];
  for (const token of line) {
    const last = tokens.at(-1);
    if (last && (isSpace(token) || (token.dark === last.dark && token.light === last.light)))
      last.text += token.text;
    else if (last && isSpace(last)) Object.assign(last, token, { text: last.text + token.text });
    else tokens.push(token);
  }
  return tokens;
}

const isSpace = ({ text }: Token) => text.trim() === "";

/** The light theme's comments are too pale on our page; they take the page's own quiet colour. */
const readable = (color: string) => (color.toLowerCase() === "#6e7781" ? "var(--ink-3)" : color);
