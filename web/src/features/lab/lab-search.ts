/** The place in the Prompt Lab, as its address has it. Pure. */

export const TABS = ["editor", "versions", "data", "checks", "runs", "improve"] as const;
export type Tab = (typeof TABS)[number];

export interface LabSearch {
  prompt?: string;
  /** The data set that the tab Data shows. */
  data?: string;
  tab?: Tab;
  run?: string;
  improvement?: string;
}

const isTab = (value: unknown): value is Tab => TABS.includes(value as Tab);

export function readLabSearch(raw: Record<string, unknown>): LabSearch {
  const search: LabSearch = {};
  if (typeof raw.prompt === "string") search.prompt = raw.prompt;
  if (typeof raw.data === "string") search.data = raw.data;
  if (isTab(raw.tab) && raw.tab !== "editor") search.tab = raw.tab;
  if (typeof raw.run === "string") search.run = raw.run;
  if (typeof raw.improvement === "string") search.improvement = raw.improvement;
  return search;
}
