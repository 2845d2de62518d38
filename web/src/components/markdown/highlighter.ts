/** Shiki with its JavaScript regex engine (no WebAssembly) and a sensible set of languages, each a chunk. */
import { createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

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

/** The code's tokens with a colour per theme, or null for a language that is not in the set. */
export async function highlight(code: string, language: string): Promise<Line[] | null> {
  const wanted = language.toLowerCase();
  const name = aliases[wanted] ?? wanted;
  const load = languages[name];
  if (!load) return null;
  const shiki = await highlighter();
  if (!shiki.getLoadedLanguages().includes(name)) await shiki.loadLanguage(load as LanguageInput);
  const lines = shiki.codeToTokensWithThemes(code, {
    lang: name,
    themes: { dark: "github-dark-default", light: "github-light-default" },
  });
  return lines.map((line) =>
    line.map((token) => ({
      text: token.content,
      dark: token.variants.dark?.color ?? "",
      light: readable(token.variants.light?.color ?? ""),
    })),
  );
}

/** The light theme's comments are too pale on our page; they take the page's own quiet colour. */
const readable = (color: string) => (color.toLowerCase() === "#6e7781" ? "var(--ink-3)" : color);
