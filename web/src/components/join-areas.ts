/** What all areas bring to the page, joined: routes, links, commands, settings, shortcuts. */
import type { AnyRoute } from "@tanstack/react-router";
import { createContext, useContext } from "react";
import type { Area, NavItem, SettingsSection, Shortcut, UseCommands } from "@/components/area";
import { lazyValue } from "@/components/lazy-part";

/** Each hook returns undefined until all areas have loaded what it returns. */
export interface JoinedAreas {
  routes: readonly AnyRoute[];
  nav: readonly NavItem[];
  useCommands: () => UseCommands | undefined;
  useSettings: () => readonly SettingsSection[] | undefined;
  useShortcuts: () => readonly Shortcut[] | undefined;
}

export const joinAreas = (areas: readonly Area[]): JoinedAreas => ({
  routes: areas.flatMap((area) => area.routes ?? []),
  nav: navOf(areas),
  useCommands: lazyValue(() => commandsOf(areas)),
  useSettings: lazyValue(() => settingsOf(areas)),
  useShortcuts: lazyValue(() => shortcutsOf(areas)),
});

const navOf = (areas: readonly Area[]): NavItem[] => inOrder(areas.flatMap((area) => area.nav ?? []));

/** One hook that calls the hooks of all areas, the same ones in the same order each time. */
export async function commandsOf(areas: readonly Area[]): Promise<UseCommands> {
  const hooks = await Promise.all(areas.map((area) => area.commands?.()));
  return (context) => inOrder(hooks.flatMap((hook) => hook?.(context) ?? []));
}

export async function settingsOf(areas: readonly Area[]): Promise<SettingsSection[]> {
  const sections = await Promise.all(areas.map((area) => area.settings?.() ?? []));
  return inOrder(sections.flat());
}

/** What the areas list, and the keys of their links. */
export async function shortcutsOf(areas: readonly Area[]): Promise<Shortcut[]> {
  const listed = await Promise.all(areas.map((area) => area.shortcuts?.() ?? []));
  return inOrder([...listed.flat(), ...navOf(areas).flatMap(shortcutOf)]);
}

/** Between "N" and "/" of the frame, which come before it, and "?", which comes after. */
const NAV_SHORTCUTS = 220;

const shortcutOf = ({ shortcut, label }: NavItem): Shortcut[] =>
  shortcut === undefined ? [] : [{ keys: [shortcut.toUpperCase()], does: label, order: NAV_SHORTCUTS }];

const LAST = Number.MAX_SAFE_INTEGER;

const inOrder = <T extends { order?: number }>(entries: readonly T[]): T[] =>
  entries.toSorted((one, other) => (one.order ?? LAST) - (other.order ?? LAST));

/** Entries by their group, in the order in which the groups first appear; undefined for those without one. */
export function inGroups<T extends { group?: string }>(entries: readonly T[]): Map<string | undefined, T[]> {
  const groups = new Map<string | undefined, T[]>();
  for (const entry of entries) {
    const group = groups.get(entry.group);
    if (group) group.push(entry);
    else groups.set(entry.group, [entry]);
  }
  return groups;
}

export const AreasContext = createContext<JoinedAreas | null>(null);

export function useAreas(): JoinedAreas {
  const areas = useContext(AreasContext);
  if (!areas) throw new Error("There is no AreasContext above.");
  return areas;
}
