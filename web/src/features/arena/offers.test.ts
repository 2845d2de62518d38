import { expect, test } from "vitest";
import type { Discoveries, FoundServer } from "@/api/providers";
import { offerOf } from "@/features/arena/offers";

const server = (name: string, more: Partial<FoundServer> = {}): FoundServer => ({
  kind: name.toLowerCase(),
  name,
  base_url: `http://127.0.0.1/${name}`,
  needs_key: false,
  provider_id: null,
  version: null,
  models: [{ model: "m", purpose: "chat" }] as FoundServer["models"],
  ...more,
});
const KEY = { known: "openai", name: "OpenAI", variable: "OPENAI_API_KEY", provider_id: null };
const found = (servers: FoundServer[], keys = [KEY]) => ({ servers, keys }) as Discoveries;
const title = (things: Discoveries | undefined, declined: string[] = []) => offerOf(things, declined)?.title;

test("a server that can be used at once comes before one that asks for a key, and both before a key", () => {
  const both = found([server("vLLM", { needs_key: true }), server("Ollama")]);
  expect(title(both)).toBe("Ollama is running");
  expect(title(both, ["http://127.0.0.1/Ollama"])).toBe("vLLM is running");
  expect(title(both, ["http://127.0.0.1/Ollama", "http://127.0.0.1/vLLM"])).toBe("OpenAI key found");
});

test.each([
  ["nothing is known yet", undefined],
  [
    "it is added already",
    found([server("Ollama", { provider_id: "p" })], [{ ...KEY, provider_id: "q" as never }]),
  ],
  [
    "it has no model to talk to",
    found([server("Ollama", { models: [{ model: "e", purpose: "embeddings" }] as never })], []),
  ],
])("nothing is offered where %s", (_, things) => {
  expect(offerOf(things, [])).toBeNull();
});
