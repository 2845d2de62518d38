/** Settings: what this browser remembers, the data, what the server was started with, and what other areas add. */

import { Link, useRouterState } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { SettingsSection } from "@/components/area";
import { Column } from "@/components/column";
import { useAreas } from "@/components/join-areas";
import { PageHeader } from "@/components/page-header";
import { Section } from "@/components/setting";
import { useTitle } from "@/lib/use-title";

export function SettingsPage() {
  const sections = useAreas().useSettings();
  useTitle("Settings");
  const list = useRef<HTMLDivElement>(null);
  useNamedSection(list, sections !== undefined);
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Settings</h1>
        <span className="flex-1" />
      </PageHeader>
      <div className="grid min-h-0 flex-1 overflow-y-auto min-[1400px]:grid-cols-[11rem_minmax(0,1fr)_11rem]">
        <Index sections={sections ?? []} list={list} />
        <Column className="py-6 sm:py-8">
          <div ref={list} className="flex flex-col gap-9">
            {sections?.map(({ Rows, order, ...section }) => (
              <Section key={section.id} {...section}>
                <Rows />
              </Section>
            ))}
          </div>
        </Column>
      </div>
    </>
  );
}

interface IndexProps {
  sections: readonly SettingsSection[];
  list: RefObject<HTMLDivElement | null>;
}

/** Links to the sections that have rows, beside them on a wide screen. */
function Index({ sections, list }: IndexProps) {
  const [filled, setFilled] = useState<ReadonlySet<string>>(new Set());
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // A section that gets its first row, or loses its last one, changes the height.
    const observer = new ResizeObserver(() => {
      const shown = [...element.children].filter((section) => section.checkVisibility());
      setFilled(new Set(shown.map(({ id }) => id)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return (
    <nav
      aria-label="Settings"
      className="sticky top-0 flex flex-col self-start py-8 pl-5 text-sm max-[1399px]:hidden"
    >
      {sections
        .filter(({ id }) => filled.has(id))
        .map(({ id, title }) => (
          <Link
            key={id}
            to="/settings"
            hash={id}
            aria-current={hash === id ? "location" : undefined}
            className="rounded-sm px-2.5 py-1 text-ink-2 hover:text-ink aria-[current=location]:bg-raised aria-[current=location]:text-ink"
          >
            {title}
          </Link>
        ))}
    </nav>
  );
}

/** Show the section that the address names, while rows still come above it, until somebody does something. */
function useNamedSection(list: RefObject<HTMLDivElement | null>, ready: boolean) {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (!(hash && ready && list.current)) return;
    const observer = new ResizeObserver(() =>
      document.getElementById(hash)?.scrollIntoView({ block: "start" }),
    );
    observer.observe(list.current);
    const over = new AbortController();
    over.signal.addEventListener("abort", () => observer.disconnect());
    for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      window.addEventListener(act, () => over.abort(), { passive: true, signal: over.signal });
    }
    return () => over.abort();
  }, [list, hash, ready]);
}
