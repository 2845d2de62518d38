/** What plug-ins are called on the page, and an example of each kind. */
import type { PlugIn, PlugInKind } from "@/api/plug-ins";

export const KINDS: Record<PlugInKind, string> = {
  connector: "Provider",
  check: "Lab check",
  card: "Analytics card",
  view: "Chart",
  words: "Word list",
};

/** Where it appears. */
export const PLACES: Record<PlugInKind, string> = {
  connector: "in Models, Add provider",
  check: "in the Prompt Lab, Add check",
  card: "in Analytics",
  view: "in Analytics",
  words: "in moderation",
};

/** Kinds that only administrators add. */
export const OF_ADMINISTRATORS: readonly PlugInKind[] = ["connector", "words"];

const ORIGINS: Record<PlugIn["origin"], string> = {
  own: "Yours",
  workspace: "This workspace’s",
  everybody: "Everybody’s",
  folder: "Everybody’s",
};

const DASHBOARDS: Record<string, string> = {
  me: "Your month",
  workspace: "Workspace",
  installation: "Installation",
};

/** One line about a plug-in. */
export function describe({ kind, about, origin, file, content }: PlugIn): string {
  const dashboard = DASHBOARDS[String(content?.of)];
  const what = kind ? `${KINDS[kind]} ${PLACES[kind]}${dashboard ? `, ${dashboard}` : ""}` : "";
  const whose = file ? `${ORIGINS[origin]}, from the file ${file}` : ORIGINS[origin];
  return [about.replace(/\.$/, ""), what, whose].filter(Boolean).join(" · ");
}

export const EXAMPLES: Record<PlugInKind, string> = {
  check: `kind: check
name: short-answer
title: Short answer
about: At most 50 words.
check:
  kind: length
  most: 50
  unit: words
`,
  card: `kind: card
name: cost-by-model
title: Cost
card:
  measure: cost
  draw: bars
  by: [model]
  value: cost_micros
`,
  view: `kind: view
name: requests-by-day
title: Requests
view:
  measure: requests
  by: [day, model]
  spec:
    mark: bar
    height: 220
    encoding:
      x: {field: day, type: ordinal, timeUnit: utcyearmonthdate, title: null}
      y: {field: calls, type: quantitative, title: Calls}
      color: {field: model, type: nominal, title: null}
`,
  connector: `kind: connector
name: our-models
title: Our models
connector:
  base_url: https://models.example.org/v1
  like: vllm
  needs_key: true
`,
  words: `kind: words
name: code-names
title: Code names
words:
  moment: prompt
  verdict: flag
  terms:
    - project zephyr
`,
};
