import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRoute, linkOptions, RouterProvider } from "@tanstack/react-router";
import { NotebookPen } from "lucide-react";
import { type ReactNode, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { type Area, rootRoute } from "@/components/area";
import { commandsOf, joinAreas, settingsOf, shortcutsOf } from "@/components/join-areas";
import { ShortcutList } from "@/components/shortcut-list";
import { Palette } from "@/features/palette/palette";
import { SettingsPage } from "@/features/settings/settings-page";
import { AccountItems } from "@/features/sidebar/account-items";
import { Views } from "@/features/sidebar/views";
import { AREAS } from "@/routes/areas";
import { createAppRouter } from "@/routes/router";

// A menu is drawn only where a browser shows it.
vi.mock("@/ui/menu", () => {
  const Shown = ({ children }: { children?: ReactNode }) => children;
  return { MenuChoice: Shown, MenuChoices: Shown, MenuItem: Shown, MenuLabel: Shown, MenuSeparator: Shown };
});
// What modules of the page ask of a browser when they load.
vi.hoisted(() => {
  const addEventListener = () => undefined;
  Object.assign(globalThis, { addEventListener, matchMedia: () => ({ matches: false, addEventListener }) });
});

const NotesPage = () => null;
// Links are checked against the areas that are there; this one is only planted.
const link = { to: "/planted-notes" as "/" };
const run = vi.fn();

const notes: Area = {
  name: "planted-notes",
  routes: [createRoute({ getParentRoute: () => rootRoute, path: "/planted-notes", component: NotesPage })],
  nav: [
    { label: "Notes", icon: NotebookPen, link, under: /^\/planted-notes/, order: 25, shortcut: "o" },
    { label: "Notes on notes", icon: NotebookPen, link, order: 20, menu: "top" },
  ],
  commands: async () =>
    function useCommands({ search }) {
      const [first] = useState("Write a note");
      return [
        { name: search === "" ? first : `Find “${search}” in notes`, icon: NotebookPen, order: 125, run },
      ];
    },
  settings: async () => [
    {
      id: "planted-notes",
      title: "Notebook",
      about: "Where notes are kept.",
      order: 40,
      Rows: () => "On paper.",
    },
  ],
  shortcuts: async () => [{ keys: ["S"], does: "Save the note", group: "In a note" }],
};
const planted = [notes, ...AREAS];

/** What stands where the frame would be, at an address. */
async function shown(part: ReactNode, at = "/"): Promise<string> {
  const [commands, settings, shortcuts] = await Promise.all([
    commandsOf(planted),
    settingsOf(planted),
    shortcutsOf(planted),
  ]);
  const router = createAppRouter({
    ...joinAreas(planted),
    useCommands: () => commands,
    useSettings: () => settings,
    useShortcuts: () => shortcuts,
  });
  rootRoute.update({ component: () => part });
  router.update({ history: createMemoryHistory({ initialEntries: [at] }) });
  await router.load();
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/** The text of each element of a kind, in order. */
const texts = (markup: string, tag: string) =>
  [...markup.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, "gs"))].map(([, inner = ""]) =>
    inner.replace(/<[^>]+>/g, ""),
  );

test("its page has its address, beside those of the areas that were there", () => {
  const routes = new Map(Object.entries(createAppRouter(joinAreas(planted)).routesByPath));
  expect(routes.get("/planted-notes")?.options.component).toBe(NotesPage);
  expect([...routes.keys()]).toEqual(expect.arrayContaining(["/", "/s/$session", "/votes", "/settings"]));
});

test("it stands in the sidebar by its order, marked where the person is", async () => {
  const views = await shown(<Views />, "/planted-notes/1");
  expect(texts(views, "a")).toEqual([
    "Arena",
    "Leaderboard",
    "Notes",
    "Prompt Lab",
    "My votes",
    "Analytics",
    "Library",
    "Models",
  ]);
  expect(views).toMatch(/aria-current="page"[^>]*>(?:(?!<a ).)*Notes/);
  expect(views).toContain('href="/planted-notes"');
});

test("it stands in the account's menu where it says so", async () => {
  const menu = await shown(<AccountItems onShortcuts={run} />);
  expect(menu).toMatch(/Settings.*Notes on notes.*Keyboard shortcuts.*Theme.*About Parley/s);
});

test("its commands stand in the palette by their order, and know what is searched for", async () => {
  const palette = async (search: string) =>
    shown(
      <Palette search={search} onSearch={run} onClose={run} useCommands={await commandsOf(planted)} />,
      "/settings",
    );
  expect(await palette("")).toMatch(/New session.*Models.*Write a note.*Settings.*Leaderboard/s);
  expect(await palette(" tea ")).toContain("Find “tea” in notes");
});

test("its section stands among the settings by its order", async () => {
  const page = await shown(<SettingsPage />, "/settings");
  expect(texts(page, "h2")).toEqual([
    "Account",
    "Security",
    "Devices",
    "Workspaces",
    "Provider keys",
    "People",
    "Sign-in rules",
    "Appearance",
    "New chats",
    "Data",
    "Privacy",
    "Server",
    "Notebook",
    "Tools",
    "Auto",
    "Plug-ins",
    "Limits",
    "API keys",
    "Moderation",
    "Retention",
    "Audit log",
    "Keyboard shortcuts",
    "About",
  ]);
  expect(page).toMatch(/<section id="planted-notes".*Where notes are kept\..*On paper\./s);
});

test("its shortcuts are listed: the key of its link, and those of its page", async () => {
  const list = await shown(<ShortcutList />);
  expect(texts(list, "h3")).toEqual([
    "Everywhere",
    "Outside text fields",
    "Message",
    "Vote (with Alt while you type)",
    "Leaderboard",
    "Replay",
    "In a note",
  ]);
  expect(texts(list, "dt")).toContain("Save the note");
  expect(list).toMatch(/Leaderboard<.*>L<.*Notes<.*>O<.*Keyboard shortcuts<.*>\?</s);
});

test("an address that no area has is no link", () => {
  // @ts-expect-error: no folder has this page, and the types know it.
  expect(linkOptions({ to: "/planted-notes" })).toEqual({ to: "/planted-notes" });
  expect(linkOptions({ to: "/votes/$vote/replay", params: { vote: "1" } }).to).toBe("/votes/$vote/replay");
});
