/** What one member of a team is there for: a ready role, or an own one with instructions. */

import { useId } from "react";
import { HELP, LABEL } from "@/features/lineup/schema";
import type { SettingsProps } from "@/features/lineup/settings-form";
import { type Member, membersIn, readyRoles, teamRoles } from "@/features/team/roles";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

const OWN = "";
const LONGEST_ROLE = 60;
const LONGEST_INSTRUCTIONS = 2000;

export function RoleForm({ info, lineup, onLineup, seat }: SettingsProps & { seat: string }) {
  const id = useId();
  const ready = readyRoles(info);
  const team = teamRoles(info, lineup);
  const members = membersIn(lineup.brief);
  const member = members[seat] ?? { role: team.roles[seat] ?? "" };
  const known = ready.find(({ role }) => role.toLowerCase() === member.role.trim().toLowerCase());
  const change = (part: Partial<Member>) =>
    onLineup({
      ...lineup,
      brief: { ...lineup.brief, members: { ...members, [seat]: { ...member, ...part } } },
    });
  // The server needs a name, so an own role that has none yet begins with one that can be typed over.
  const choose = (role: string) => change({ role: role || "Expert", instructions: null });
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-role`} className={LABEL}>
          Role
        </label>
        <Select
          id={`${id}-role`}
          value={known?.role ?? OWN}
          onChange={choose}
          options={[
            ...ready.map(({ role }) => ({ value: role, label: role })),
            { value: OWN, label: "Own role…" },
          ]}
        />
        {seat === team.chair && <p className={HELP}>Leads and writes the synthesis. Takes no side.</p>}
      </div>
      {!known && (
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-name`} className={LABEL}>
            Name of the role
          </label>
          <Field
            id={`${id}-name`}
            maxLength={LONGEST_ROLE}
            placeholder="For example: Security engineer"
            value={member.role}
            onChange={({ target }) => change({ role: target.value.replace(/[[\]<>]/g, "") })}
          />
        </div>
      )}
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-text`} className={LABEL}>
          Instructions
        </label>
        <textarea
          id={`${id}-text`}
          rows={5}
          maxLength={LONGEST_INSTRUCTIONS}
          aria-describedby={`${id}-help`}
          placeholder={known?.instructions ?? "No ready instructions"}
          value={member.instructions ?? ""}
          onChange={({ target }) => change({ instructions: target.value === "" ? null : target.value })}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 placeholder:text-ink-3 hover:border-line-strong"
        />
        <p id={`${id}-help`} className={HELP}>
          {known
            ? "What this expert is there for. Leave it empty to use the ready instructions."
            : "What this expert is there for."}
        </p>
      </div>
    </div>
  );
}
