/** What one member of a team is there for: a ready role, or an own one with instructions. */

import { useId } from "react";
import { HELP, LABEL } from "@/features/lineup/schema";
import type { SettingsProps } from "@/features/lineup/settings-form";
import { castOf, type Member, membersIn, readyRoles } from "@/features/team/cast";
import { STRINGS } from "@/features/team/strings";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

const OWN = "";
const LONGEST_ROLE = 60;
const LONGEST_INSTRUCTIONS = 2000;

export function RoleForm({ info, lineup, onLineup, seat }: SettingsProps & { seat: string }) {
  const id = useId();
  const ready = readyRoles(info);
  const cast = castOf(info, lineup);
  const members = membersIn(lineup.brief);
  const member = members[seat] ?? { role: cast.roles[seat] ?? "" };
  const known = ready.find(({ role }) => role.toLowerCase() === member.role.trim().toLowerCase());
  const change = (part: Partial<Member>) =>
    onLineup({
      ...lineup,
      brief: { ...lineup.brief, members: { ...members, [seat]: { ...member, ...part } } },
    });
  // The server needs a name, so an own role that has none yet begins with one that can be typed over.
  const choose = (role: string) => change({ role: role || STRINGS.newRole, instructions: null });
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-role`} className={LABEL}>
          {STRINGS.role}
        </label>
        <Select
          id={`${id}-role`}
          value={known?.role ?? OWN}
          onChange={choose}
          options={[
            ...ready.map(({ role }) => ({ value: role, label: role })),
            { value: OWN, label: STRINGS.ownRole },
          ]}
        />
        {seat === cast.chair && <p className={HELP}>{STRINGS.chairHint}</p>}
      </div>
      {!known && (
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-name`} className={LABEL}>
            {STRINGS.roleName}
          </label>
          <Field
            id={`${id}-name`}
            maxLength={LONGEST_ROLE}
            placeholder={STRINGS.roleNamePlaceholder}
            value={member.role}
            onChange={({ target }) => change({ role: target.value.replace(/[[\]<>]/g, "") })}
          />
        </div>
      )}
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-text`} className={LABEL}>
          {STRINGS.instructions}
        </label>
        <textarea
          id={`${id}-text`}
          rows={5}
          maxLength={LONGEST_INSTRUCTIONS}
          aria-describedby={`${id}-help`}
          placeholder={known?.instructions ?? STRINGS.noReadyInstructions}
          value={member.instructions ?? ""}
          onChange={({ target }) => change({ instructions: target.value === "" ? null : target.value })}
          className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 placeholder:text-ink-3 hover:border-line-strong"
        />
        <p id={`${id}-help`} className={HELP}>
          {known ? STRINGS.instructionsHint : STRINGS.ownInstructionsHint}
        </p>
      </div>
    </div>
  );
}
