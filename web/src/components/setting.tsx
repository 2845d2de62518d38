import type { ReactNode } from "react";
import { Segmented } from "@/ui/segmented";

interface SectionProps {
  id: string;
  title: string;
  about?: string;
  children: ReactNode;
}

/** A group of settings; not shown while it has no rows. */
export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-4 has-[>div:empty]:hidden">
      <h2 id={`${id}-title`} className="text-md font-semibold">
        {title}
      </h2>
      {about && <p className="mt-0.5 text-sm text-ink-2">{about}</p>}
      <div className="mt-3 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface">
        {children}
      </div>
    </section>
  );
}

interface SettingProps {
  name: string;
  about?: ReactNode;
  children?: ReactNode;
}

/** One setting: what it is on the left, its value or control on the right. */
export function Setting({ name, about, children }: SettingProps) {
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-[1_1_16rem]">
        <p className="text-sm font-medium">{name}</p>
        {about && <p className="mt-0.5 text-sm text-ink-2 [overflow-wrap:anywhere]">{about}</p>}
      </div>
      {children && <div className="flex min-w-0 items-center gap-2">{children}</div>}
    </div>
  );
}

/** The environment variable that changes a setting. */
export function Variable({ name }: { name: string }) {
  return (
    <code className="rounded-xs border border-line bg-page px-1.5 py-0.5 font-mono text-xs text-ink-2">
      {name}
    </code>
  );
}

interface OnOffProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

/** The control of a setting that is on or off. */
export function OnOff({ label, on, onChange }: OnOffProps) {
  return (
    <Segmented
      label={label}
      value={on ? "on" : "off"}
      onChange={(value) => onChange(value === "on")}
      options={[
        { value: "on", label: "On" },
        { value: "off", label: "Off" },
      ]}
    />
  );
}
