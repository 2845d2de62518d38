/** Settings: what this browser remembers, the data, and what the server was started with. */
import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { aboutQuery } from "@/api/queries";
import type { About } from "@/api/types";
import { Column } from "@/components/column";
import { PageHeader } from "@/components/page-header";
import { ShortcutList } from "@/components/shortcut-list";
import { THEMES } from "@/components/themes";
import { DataSection } from "@/features/settings/data-section";
import { Section, Setting, Variable } from "@/features/settings/section";
import { useTheme } from "@/lib/theme-store";
import { useTitle } from "@/lib/use-title";
import { Segmented } from "@/ui/segmented";

export function SettingsPage() {
  const { theme, setTheme } = useTheme();
  const { data: about } = useQuery(aboutQuery);
  useTitle("Settings");
  useNamedSection();
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Settings</h1>
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column className="flex flex-col gap-9 py-6 sm:py-8">
          <Section id="appearance" title="Appearance">
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
          </Section>
          <DataSection />
          {about && <ServerSection about={about} />}
          <Section id="shortcuts" title="Keyboard shortcuts">
            <div className="grid gap-x-12 gap-y-5 px-4 py-4 sm:grid-cols-2">
              <ShortcutList />
            </div>
          </Section>
          <Section id="about" title="About">
            <Setting name="Parley" about="Where many language models meet, on your own computer.">
              <span className="num text-sm text-ink-2">{about && `Version ${about.version}`}</span>
            </Setting>
          </Section>
        </Column>
      </div>
    </>
  );
}

const PACING: Record<About["pacing"], string> = {
  even: "Even: both answers appear at the same rate, so speed gives nothing away.",
  natural: "Natural: each answer appears as fast as its model writes.",
};

const SAMPLING: Record<About["sampling"], string> = {
  equal: "Equal: every pair of models is equally likely.",
  weighted: "Weighted: by the weights in the model list.",
  informative: "Informative: pairs whose votes tell the leaderboard most come more often.",
};

function ServerSection({ about }: { about: About }) {
  return (
    <Section
      id="server"
      title="Server"
      about="Set when Parley starts. To change one, set its variable and restart Parley."
    >
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
        about={about.demo ? "On: no other model is connected yet." : "Off, or beside your own models."}
      >
        <Variable name="PARLEY_DEMO_MODELS" />
      </Setting>
    </Section>
  );
}

/** Show the section that the address names. */
function useNamedSection() {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView({ block: "start" });
  }, [hash]);
}
