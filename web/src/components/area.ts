/** What an area of the page says of itself. An area is one folder in `features` with an `area.ts`. */
import { type AnyRoute, createRootRoute, type LinkProps } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ComponentType, ReactNode } from "react";

/** The frame around every page: the parent of every area's routes. */
export const rootRoute = createRootRoute();

/**
 * The routes of each area, by its name. An area adds its own with `declare module`, so that every link and every
 * address on the page is checked against them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each area adds to it
export interface AreaRoutes {}

/** A link in the sidebar. */
export interface NavItem {
  label: string;
  icon: LucideIcon;
  link: Pick<LinkProps, "to" | "params" | "search" | "hash">;
  order: number;
  /** The addresses that belong to it. */
  under?: RegExp;
  /** Its place in the account menu; otherwise it is one of the views. */
  menu?: "top" | "bottom";
  /** A key that opens it from anywhere outside text fields. It is listed with the shortcuts. */
  shortcut?: string;
}

/** An entry of the command palette. */
export interface Command {
  name: string;
  icon: LucideIcon;
  run: () => void;
  /** The heading that it is listed under; otherwise it is one of the actions. */
  group?: string;
  /** Its place in the list, and that of its group; without one it comes last. */
  order?: number;
  /** Other words that find it, for example its kind. */
  also?: string;
  /** What tells it from others of the same name. */
  id?: string;
  /** Stands beside its name. */
  about?: ReactNode;
  /** A key that does the same. */
  hint?: string;
}

export interface CommandContext {
  /** What the palette is searched for, trimmed; empty at first. */
  search: string;
}

/** A hook that returns the commands of an area. */
export type UseCommands = (context: CommandContext) => readonly Command[];

/** A section of the settings. It is hidden while it has no rows. */
export interface SettingsSection {
  /** The hash of its address, such as `/settings#data`. */
  id: string;
  title: string;
  about?: string;
  order?: number;
  Rows: ComponentType;
}

/** A line in the list of shortcuts. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
  /** Where it works; otherwise anywhere outside text fields. */
  group?: string;
  order?: number;
}

/** What loads when it is first needed. */
type Lazy<T> = () => Promise<T>;

/** Loaded with the first page: it imports icons, texts and little else; pages load when they are first shown. */
export interface Area {
  name: string;
  routes?: readonly AnyRoute[];
  nav?: readonly NavItem[];
  commands?: Lazy<UseCommands>;
  settings?: Lazy<readonly SettingsSection[]>;
  shortcuts?: Lazy<readonly Shortcut[]>;
}
