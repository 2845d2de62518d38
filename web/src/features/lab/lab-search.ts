/** The place in the Prompt Lab, as its address has it. Pure. */

export const TABS = ["editor", "versions", "data", "checks", "runs", "improve"] as const;
export type Tab = (typeof TABS)[number];

export interface LabSearch {
  prompt?: string;
  /** The data set that the tab Data shows. */
  data?: string;
  tab?: Tab;
  run?: string;
  /** The cell of the run that is open. */
  row?: number;
  version?: number;
  model?: string;
  improvement?: string;
}

/** No cell is open. */
export const NO_CELL = { row: undefined, version: undefined, model: undefined };

const isTab = (value: unknown): value is Tab => TABS.includes(value as Tab);

const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

export function readLabSearch(raw: Record<string, unknown>): LabSearch {
  const search: LabSearch = {};
  if (typeof raw.prompt === "string") search.prompt = raw.prompt;
  if (typeof raw.data === "string") search.data = raw.data;
  if (isTab(raw.tab) && raw.tab !== "editor") search.tab = raw.tab;
  if (typeof raw.run === "string") search.run = raw.run;
  if (isPlace(raw.row)) search.row = raw.row;
  if (isPlace(raw.version)) search.version = raw.version;
  if (typeof raw.model === "string") search.model = raw.model;
  if (typeof raw.improvement === "string") search.improvement = raw.improvement;
  return search;
}
