/** The settings of a consortium, in an order that reads well. */

import { BUILT_IN_ROLES } from "@/features/consortium/members";
import { byModel, type Lineup } from "@/features/lineup/lineup";
import { SettingsForm, type SettingsProps } from "@/features/lineup/settings-form";
import { Field } from "@/ui/field";

const LAYOUT = [
  ["confidence_threshold"],
  ["minimum_iterations", "max_iterations"],
  ["strategy", "judging_method"],
  ["similarity_threshold"],
  ["elimination_delay", "elimination_count"],
  ["elimination_fraction"],
  ["system_prompt"],
  ["reveal_names"],
  ["manual_context"],
  ["stream_individual_responses"],
];

/** The parts that members play have a form of their own; some settings belong to one strategy. */
const shown = (name: string, brief: Record<string, unknown>) =>
  name !== "roles" &&
  (name !== "similarity_threshold" || brief.strategy === "voting") &&
  (!name.startsWith("elimination_") || brief.strategy === "elimination");

const limits = (name: string, brief: Record<string, unknown>) => {
  if (name === "minimum_iterations") return { most: Number(brief.max_iterations) };
  return name === "max_iterations" ? { least: Number(brief.minimum_iterations) } : {};
};

export function SettingsPanel(props: SettingsProps) {
  const { lineup, nameOf, onLineup } = props;
  return (
    <SettingsForm
      {...props}
      layout={LAYOUT}
      shown={shown}
      limits={limits}
      below={(names, brief) =>
        names.includes("strategy") &&
        brief.strategy === "role" && (
          <Roles
            lineup={lineup}
            nameOf={nameOf}
            onRoles={(roles) => onLineup({ ...lineup, brief: { ...lineup.brief, roles } })}
          />
        )
      }
    />
  );
}

interface RolesProps {
  lineup: Lineup;
  nameOf: (id: string) => string;
  onRoles: (roles: Record<string, string> | null) => void;
}

/** The part of each member; an empty one gets the built-in part. */
function Roles({ lineup, nameOf, onRoles }: RolesProps) {
  const roles = (lineup.brief.roles ?? {}) as Record<string, string>;
  const members = lineup.places.filter(({ name }) => name !== "arbiter");
  const groups = byModel(members);
  return (
    <fieldset className="flex flex-col gap-2 sm:col-span-2">
      <legend className="mb-1 text-sm font-medium">Roles</legend>
      {members.map(({ name: seat, model }, index) => {
        const same = groups.find((group) => group.model === model)?.names ?? [];
        const name = same.length > 1 ? `${nameOf(model)} #${same.indexOf(seat) + 1}` : nameOf(model);
        return (
          <div key={seat} className="grid grid-cols-[minmax(0,9rem)_1fr] items-center gap-2 text-sm">
            <span className="truncate text-ink-2">{name}</span>
            <Field
              aria-label={`Role of ${name}`}
              placeholder={`${BUILT_IN_ROLES[index % BUILT_IN_ROLES.length] ?? ""} (built in)`}
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
