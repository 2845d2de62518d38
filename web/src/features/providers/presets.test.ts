import { expect, test } from "vitest";
import type { PlugInList } from "@/api/plug-ins";
import type { KnownProvider } from "@/api/providers";
import { knownAs, withPresets } from "@/features/providers/presets";

const vllm = {
  id: "vllm",
  name: "vLLM",
  base_url: "http://127.0.0.1:8000/v1",
  note: "Local",
} as KnownProvider;

const list = (change: object) =>
  ({
    plug_ins: [
      {
        ...{
          id: "1",
          kind: "connector",
          title: "Ours",
          about: "Of the institute.",
          enabled: true,
          problem: null,
        },
        content: { base_url: "https://x.org/v1", like: "vllm", key_url: null, needs_key: true, note: "" },
        ...change,
      },
    ],
  }) as unknown as PlugInList;

test("a provider of a plug-in comes first, and the server is told the one that it is like", () => {
  const [ours, known] = withPresets([vllm], list({}));
  expect(ours).toMatchObject({ name: "Ours", base_url: "https://x.org/v1", note: "Of the institute." });
  expect(ours && knownAs(ours)).toBe("vllm");
  expect(known && knownAs(known)).toBe("vllm");
});

test.each([{ enabled: false }, { problem: "There is none." }, { kind: "check" }])(
  "%o is not offered",
  (change) => {
    expect(withPresets([vllm], list(change))).toEqual([vllm]);
  },
);
