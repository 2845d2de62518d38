/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  model: "Model",
  organisationLicence: "Organisation, licence",
  provider: "Provider",
  context: "Context",
  input: "Input",
  output: "Output",
  capabilities: "Capabilities",
  actions: "Actions",
  pricesHint: "Prices are in US dollars per million tokens.",
  ensembleHint:
    "Several models that answer together, each with its own provider and price",
  variesByMember: "varies by member",
  local: "Local",
  remote: "Remote",
  noPrice: "no price",
  disabled: "disabled",
  chatWith: (name: Shown) => `Chat with ${name}`,
  startAChat: "Start a chat",
  models: "Models",
  tryAgainLater: "Try again in a moment.",
  tryAgain: "Try again",
  searchModels: "Search models",
  searchModelsPlaceholder: "Search models…",
  noResults: (search: Shown) => `No results for “${search}”`,
  noModels: "No models yet",
  addModels: "Add your own models",
} as const;
