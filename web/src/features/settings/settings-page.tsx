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
import { SUGGESTIONS } from "@/features/arena/suggestions";
import { DataSection } from "@/features/settings/data-section";
import { OnOff, Section, Setting, Variable } from "@/features/settings/section";
import { STRINGS } from "@/features/settings/strings";
import { useStored } from "@/lib/stored";
import { useTheme } from "@/lib/theme-store";
import { useTitle } from "@/lib/use-title";
import { Segmented } from "@/ui/segmented";

export function SettingsPage() {
  const { theme, setTheme } = useTheme();
  const [suggests, setSuggests] = useStored(SUGGESTIONS, true);
  const { data: about } = useQuery(aboutQuery);
  useTitle(STRINGS.settings);
  useNamedSection();
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">{STRINGS.settings}</h1>
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column className="flex flex-col gap-9 py-6 sm:py-8">
          <Section id="appearance" title={STRINGS.appearance}>
            <Setting name={STRINGS.theme} about={STRINGS.themeHint}>
              <Segmented
                label={STRINGS.theme}
                value={theme}
                onChange={setTheme}
                options={THEMES.map(({ value, label, icon: Icon }) => ({
                  value,
                  label,
                  icon: <Icon aria-hidden="true" />,
                }))}
              />
            </Setting>
            <Setting name={STRINGS.suggestions} about={STRINGS.suggestionsHint}>
              <OnOff label={STRINGS.suggestions} on={suggests} onChange={setSuggests} />
            </Setting>
          </Section>
          <DataSection />
          {about && <ServerSection about={about} />}
          <Section id="shortcuts" title={STRINGS.shortcuts}>
            <div className="grid gap-x-12 gap-y-5 px-4 py-4 sm:grid-cols-2">
              <ShortcutList />
            </div>
          </Section>
          <Section id="about" title={STRINGS.about}>
            <Setting name={STRINGS.parley} about={STRINGS.parleyHint}>
              <span className="num text-sm text-ink-2">{about && STRINGS.version(about.version)}</span>
            </Setting>
          </Section>
        </Column>
      </div>
    </>
  );
}

function ServerSection({ about }: { about: About }) {
  return (
    <Section id="server" title={STRINGS.server} about={STRINGS.serverHint}>
      <Setting name={STRINGS.modelList} about={about.config_path}>
        <Variable name="PARLEY_MODELS" />
      </Setting>
      <Setting name={STRINGS.battlePacing} about={STRINGS.pacing[about.pacing]}>
        <Variable name="PARLEY_BATTLE_PACING" />
      </Setting>
      <Setting name={STRINGS.battleSampling} about={STRINGS.sampling[about.sampling]}>
        <Variable name="PARLEY_BATTLE_SAMPLING" />
      </Setting>
      <Setting name={STRINGS.demoModels} about={about.demo ? STRINGS.demoModelsOn : STRINGS.demoModelsOff}>
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
