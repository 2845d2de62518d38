/** The sections that the settings have without any other area. */

import { useQuery } from "@tanstack/react-query";
import { useMayManage } from "@/api/permissions";
import { aboutQuery } from "@/api/queries";
import type { SettingsSection } from "@/components/area";
import { OnOff, Setting, Variable } from "@/components/setting";
import { ShortcutList } from "@/components/shortcut-list";
import { THEMES } from "@/components/themes";
import { SUGGESTIONS } from "@/features/arena/suggestions";
import { DataRows } from "@/features/settings/data-rows";
import { NewChatRows } from "@/features/settings/new-chat-rows";
import { PrivacyRows } from "@/features/settings/privacy-rows";
import { useStored } from "@/lib/local-storage";
import { useTheme } from "@/lib/theme-store";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";

const PACING = {
  even: "Even: both answers appear at the same rate, so speed reveals nothing.",
  natural: "Natural: each answer appears as fast as its model writes.",
} as const;

const SAMPLING = {
  equal: "Equal: every pair of models is equally likely.",
  weighted: "Weighted: uses the weights in the model list.",
  informative: "Informative: favours pairs whose votes improve the leaderboard most.",
} as const;

export const SECTIONS: readonly SettingsSection[] = [
  { id: "appearance", title: "Appearance", order: 10, Rows: AppearanceRows },
  {
    id: "new-chats",
    title: "New chats",
    about: "Saved on the server, for you alone.",
    order: 15,
    Rows: NewChatRows,
  },
  {
    id: "data",
    title: "Data",
    about: "Saved where Parley runs. Prompts are sent only to the models that answer them.",
    order: 20,
    Rows: DataRows,
  },
  {
    id: "privacy",
    title: "Privacy",
    about: "Who can read what, where it is kept, and what deletes it.",
    order: 25,
    Rows: PrivacyRows,
  },
  {
    id: "server",
    title: "Server",
    about: "Set when Parley starts. To change one, set its variable and restart Parley.",
    order: 30,
    Rows: ServerRows,
  },
  { id: "shortcuts", title: "Keyboard shortcuts", order: 80, Rows: ShortcutRows },
  { id: "about", title: "About", order: 90, Rows: AboutRows },
];

function AppearanceRows() {
  const { theme, setTheme } = useTheme();
  const [suggests, setSuggests] = useStored(SUGGESTIONS, true);
  return (
    <>
      <Setting name="Theme" about="Saved in this browser.">
        <Segmented
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={THEMES.map(({ value, label, icon: Icon }) => ({
            value,
            label,
            icon: <Icon aria-hidden="true" />,
          }))}
        />
      </Setting>
      <Setting
        name="Model suggestions"
        about="The model list shows which models you preferred in your own votes."
      >
        <OnOff label="Model suggestions" on={suggests} onChange={setSuggests} />
      </Setting>
    </>
  );
}

function ServerRows() {
  const { data: about } = useQuery(aboutQuery);
  const mayManage = useMayManage();
  if (!about || !mayManage) return null;
  return (
    <>
      <Setting name="Model list" about={about.config_path}>
        <Variable name="PARLEY_MODELS" />
      </Setting>
      <Setting name="Battle pacing" about={PACING[about.pacing]}>
        <Variable name="PARLEY_BATTLE_PACING" />
      </Setting>
      <Setting name="Battle sampling" about={SAMPLING[about.sampling]}>
        <Variable name="PARLEY_BATTLE_SAMPLING" />
      </Setting>
      <Setting
        name="Demo models"
        about={about.demo ? "On: no other model is connected yet." : "Off, or used next to your own models."}
      >
        <Variable name="PARLEY_DEMO_MODELS" />
      </Setting>
    </>
  );
}

function ShortcutRows() {
  return (
    <div className="grid gap-x-12 gap-y-5 px-4 py-4 sm:grid-cols-2">
      <ShortcutList />
    </div>
  );
}

function AboutRows() {
  const { data: about } = useQuery(aboutQuery);
  return (
    <>
      <Setting name="Parley" about="Where many language models meet, on your own computer. Apache-2.0.">
        <span className="num text-sm text-ink-2">{about && `Version ${about.version}`}</span>
      </Setting>
      <Setting name="Third-party licences" about="The software that this page contains, with its licences.">
        <Button asChild size="sm">
          <a href="/third-party-notices.txt" target="_blank" rel="noopener">
            Open licences
          </a>
        </Button>
      </Setting>
    </>
  );
}
