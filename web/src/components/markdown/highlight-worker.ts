/** The worker that colours code. */
import { loadLanguage, tokenize } from "@/components/markdown/highlighter";

export interface HighlightTask {
  code: string;
  language: string;
}

async function colour({ code, language }: HighlightTask) {
  self.postMessage("loading");
  const known = await loadLanguage(language);
  self.postMessage("ready");
  return known && tokenize(code, known);
}

self.onmessage = async ({ data }: MessageEvent<HighlightTask>) =>
  self.postMessage(await colour(data).catch(() => null));
self.postMessage("ready");
