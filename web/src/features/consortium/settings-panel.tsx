/** The settings of a consortium, from the schema that the server sends, in an order that reads well. */
import { RotateCcw } from "lucide-react";
import { BUILT_IN_ROLES } from "@/features/consortium/members";
import { type SchemaField, SettingField } from "@/features/consortium/schema-field";
import { memberSeats, type Setup, wholeBrief } from "@/features/consortium/setup";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

interface SettingsPanelProps {
  schema: unknown;
  setup: Setup;
  nameOf: (id: string) => string;
  onSetup: (setup: Setup) => void;
}

/** Each row is a line of the panel. What the schema has beyond these comes at the end. */
const LAYOUT = [
  ["confidence_threshold"],
  ["minimum_iterations", "max_iterations"],
  ["strategy", "judging_method"],
  ["elimination_delay", "elimination_count"],
  ["elimination_fraction"],
  ["system_prompt"],
  ["reveal_names"],
  ["manual_context"],
  ["stream_individual_responses"],
];

export function SettingsPanel({ schema, setup, nameOf, onSetup }: SettingsPanelProps) {
  const fields = (schema as { properties?: Record<string, SchemaField> }).properties ?? {};
  const brief = wholeBrief(schema, setup.brief);
  const known = new Set([...LAYOUT.flat(), "roles"]);
  const rows = [
    ...LAYOUT,
    ...Object.keys(fields)
      .filter((name) => !known.has(name))
      .map((name) => [name]),
  ];
  const change = (name: string, value: unknown) =>
    onSetup({ ...setup, brief: { ...setup.brief, [name]: value } });
  const limits = (name: string) => {
    if (name === "minimum_iterations") return { most: Number(brief.max_iterations) };
    return name === "max_iterations" ? { least: Number(brief.minimum_iterations) } : {};
  };
  const shown = (name: string) =>
    fields[name] !== undefined && (!name.startsWith("elimination_") || brief.strategy === "elimination");
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">Settings</h2>
        <Button
          size="sm"
          variant="quiet"
          disabled={Object.keys(setup.brief).length === 0}
          onClick={() => onSetup({ ...setup, brief: {} })}
        >
          <RotateCcw aria-hidden="true" />
          Defaults
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
                onChange={(value) => change(name, value)}
                {...limits(name)}
              />
            ))}
            {names.includes("strategy") && brief.strategy === "role" && (
              <Roles setup={setup} nameOf={nameOf} onRoles={(roles) => change("roles", roles)} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface RolesProps {
  setup: Setup;
  nameOf: (id: string) => string;
  onRoles: (roles: Record<string, string> | null) => void;
}

/** The part of each member; an empty one gets the built-in part. */
function Roles({ setup, nameOf, onRoles }: RolesProps) {
  const roles = (setup.brief.roles ?? {}) as Record<string, string>;
  const seats = memberSeats(setup.members);
  return (
    <fieldset className="flex flex-col gap-2 sm:col-span-2">
      <legend className="mb-1 text-sm font-medium">Parts</legend>
      {seats.map(({ seat, model, instance }, index) => {
        const several = seats.filter((each) => each.model === model).length > 1;
        const name = several ? `${nameOf(model)} #${instance}` : nameOf(model);
        return (
          <div key={seat} className="grid grid-cols-[minmax(0,9rem)_1fr] items-center gap-2 text-sm">
            <span className="truncate text-ink-2">{name}</span>
            <Field
              aria-label={`Part of ${name}`}
              placeholder={`${BUILT_IN_ROLES[index % BUILT_IN_ROLES.length]} (built in)`}
              maxLength={2000}
              value={roles[seat] ?? ""}
              onChange={(event) => {
                const { [seat]: _, ...rest } = roles;
                const next = event.target.value ? { ...rest, [seat]: event.target.value } : rest;
                onRoles(Object.keys(next).length > 0 ? next : null);
              }}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
