/** Settings: what this browser remembers, the data, what the server was started with, and what other areas add. */

import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { Column } from "@/components/column";
import { useAreas } from "@/components/join-areas";
import { PageHeader } from "@/components/page-header";
import { Section } from "@/components/setting";
import { useTitle } from "@/lib/use-title";

export function SettingsPage() {
  const sections = useAreas().useSettings();
  useTitle("Settings");
  useNamedSection(sections !== undefined);
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Settings</h1>
        <span className="flex-1" />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column className="flex flex-col gap-9 py-6 sm:py-8">
          {sections?.map(({ Rows, order, ...section }) => (
            <Section key={section.id} {...section}>
              <Rows />
            </Section>
          ))}
        </Column>
      </div>
    </>
  );
}

/** Show the section that the address names, once the sections are there. */
function useNamedSection(ready: boolean) {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash && ready) document.getElementById(hash)?.scrollIntoView({ block: "start" });
  }, [hash, ready]);
}
