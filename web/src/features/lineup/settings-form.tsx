/** The settings of a mode, from the schema that the server sends. */

import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import type { ModeCard } from "@/api/types";
import { type Lineup, wholeBrief } from "@/features/lineup/lineup";
import { fieldsOf, type SchemaField } from "@/features/lineup/schema";
import { SettingField } from "@/features/lineup/schema-field";
import { Button } from "@/ui/button";

export interface SettingsProps {
  info: ModeCard;
  lineup: Lineup;
  nameOf: (id: string) => string;
  onLineup: (lineup: Lineup) => void;
}

export interface FormOptions {
  /** Each row is a line of the form. What the schema has beyond these comes at the end. */
  layout?: readonly (readonly string[])[];
  shown?: (name: string, brief: Record<string, unknown>) => boolean;
  /** Narrower limits than the schema's: those of another field. */
  limits?: (name: string, brief: Record<string, unknown>) => { least?: number; most?: number };
  /** What stands below a row. */
  below?: (names: readonly string[], brief: Record<string, unknown>) => ReactNode;
}

export function SettingsForm({
  info,
  lineup,
  onLineup,
  layout = [],
  ...options
}: SettingsProps & FormOptions) {
  const fields = fieldsOf(info.brief_schema);
  const brief = wholeBrief(info.brief_schema, lineup.brief);
  const known = new Set(layout.flat());
  const others = Object.keys(fields).filter((name) => !known.has(name));
  const rows = [...layout, ...others.map((name) => [name])];
  const shown = (name: string) => fields[name] !== undefined && (options.shown?.(name, brief) ?? true);
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">Settings</h2>
        <Button
          size="sm"
          variant="quiet"
          disabled={Object.keys(lineup.brief).length === 0}
          onClick={() => onLineup({ ...lineup, brief: {} })}
        >
          <RotateCcw aria-hidden="true" /> Reset to defaults{" "}
        </Button>
      </div>
      {rows.map((row) => {
        const names = row.filter(shown);
        if (names.length === 0) return null;
        return (
          <div key={row.join()} className={names.length > 1 ? "grid gap-4 sm:grid-cols-2" : undefined}>
            {names.map((name) => (
              <SettingField
                key={name}
                name={name}
                field={fields[name] as SchemaField}
                value={brief[name]}
                onChange={(value) => onLineup({ ...lineup, brief: { ...lineup.brief, [name]: value } })}
                {...options.limits?.(name, brief)}
              />
            ))}
            {options.below?.(names, brief)}
          </div>
        );
      })}
    </div>
  );
}
