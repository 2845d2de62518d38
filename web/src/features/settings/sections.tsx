/** The sections that the settings have without any other area. */

import { useQuery } from "@tanstack/react-query";
import { aboutQuery } from "@/api/queries";
import type { SettingsSection } from "@/components/area";
import { OnOff, Setting, Variable } from "@/components/setting";
import { ShortcutList } from "@/components/shortcut-list";
import { THEMES } from "@/components/themes";
import { SUGGESTIONS } from "@/features/arena/suggestions";
import { DataRows } from "@/features/settings/data-rows";
import { STRINGS } from "@/features/settings/strings";
import { useStored } from "@/lib/stored";
import { useTheme } from "@/lib/theme-store";
import { Segmented } from "@/ui/segmented";

export const SECTIONS: readonly SettingsSection[] = [
  { id: "appearance", title: STRINGS.appearance, order: 10, Rows: AppearanceRows },
  { id: "data", title: STRINGS.data, about: STRINGS.dataHint, order: 20, Rows: DataRows },
  { id: "server", title: STRINGS.server, about: STRINGS.serverHint, order: 30, Rows: ServerRows },
  { id: "shortcuts", title: STRINGS.shortcuts, order: 80, Rows: ShortcutRows },
  { id: "about", title: STRINGS.about, order: 90, Rows: AboutRows },
];

function AppearanceRows() {
  const { theme, setTheme } = useTheme();
  const [suggests, setSuggests] = useStored(SUGGESTIONS, true);
  return (
    <>
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
    </>
  );
}

function ServerRows() {
  const { data: about } = useQuery(aboutQuery);
  if (!about) return null;
  return (
    <>
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
    <Setting name={STRINGS.parley} about={STRINGS.parleyHint}>
      <span className="num text-sm text-ink-2">{about && STRINGS.version(about.version)}</span>
    </Setting>
  );
}
