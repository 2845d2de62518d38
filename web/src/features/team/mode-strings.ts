/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newTeam: "New team",
  headline: "Let a team of experts discuss your question.",
  subline:
    "Each model plays a role. They debate in rounds, you step in, and one of them writes the synthesis.",
  examples: ["Should a small team write its backend in Rust?", "Should I rent or buy a flat?"],
  followUpPlaceholder: "Ask a follow-up…",
  askPlaceholder: "Ask a team anything…",
  loading: "Loading…",
  noModels: "No models available",
  tooFew: "A team needs two members besides its moderator or judge",
  judge: "Judge",
  moderator: "Moderator",
  expertAndModel: (role: string, model: string) => `${role} · ${model}`,
  inputs: {
    ask: { label: "Ask one expert", placeholder: "Ask this expert…" },
    skip: { label: "Skip an expert", placeholder: "" },
    synthesise: { label: "Write synthesis now", placeholder: "" },
    steer: { label: "Steer", placeholder: "Give the team a direction…" },
    add: { label: "Add a fact", placeholder: "Tell the team a fact…" },
  },
} as const;

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved team", all: "Saved teams", chip: "Teams" };
