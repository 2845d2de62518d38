/** The settings of a team, in an order that reads well. */

import { useId } from "react";
import type { Lineup } from "@/features/lineup/lineup";
import { HELP, LABEL } from "@/features/lineup/schema";
import { SettingsForm, type SettingsProps } from "@/features/lineup/settings-form";
import { teamRoles } from "@/features/team/roles";
import { Select } from "@/ui/select";

const LAYOUT = [["strategy"], ["rounds", "pause"], ["max_tokens", "max_cost_usd"], ["instructions"]];

/** Members have a form of their own, at their chips; the writer is one of them. */
const shown = (name: string) => name !== "members" && name !== "writer";

export function SettingsPanel(props: SettingsProps) {
  const { members } = props.lineup.brief;
  // A reset is about what this form shows.
  const onLineup = (next: Lineup) =>
    props.onLineup(members ? { ...next, brief: { members, ...next.brief } } : next);
  return (
    <SettingsForm
      {...props}
      onLineup={onLineup}
      layout={LAYOUT}
      shown={shown}
      below={(names) => names.includes("pause") && <Writer {...props} />}
    />
  );
}

function Writer({ info, lineup, onLineup }: SettingsProps) {
  const id = useId();
  const { roles, usualWriter } = teamRoles(info, lineup);
  return (
    <div className="flex flex-col gap-1 sm:col-span-2">
      <label htmlFor={id} className={LABEL}>
        Synthesis by
      </label>
      <Select
        id={id}
        aria-describedby={`${id}-help`}
        value={String(lineup.brief.writer ?? "")}
        onChange={(seat) => onLineup({ ...lineup, brief: { ...lineup.brief, writer: seat || null } })}
        options={[
          { value: "", label: `${roles[usualWriter ?? ""] ?? ""} (default)` },
          ...Object.entries(roles).map(([value, label]) => ({ value, label })),
        ]}
      />
      <p id={`${id}-help`} className={HELP}>
        The member that writes the synthesis.
      </p>
    </div>
  );
}
