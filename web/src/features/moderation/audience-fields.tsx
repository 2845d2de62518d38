/** The fields of a rule that say for whom it is. */
import { useQuery } from "@tanstack/react-query";
import { workspacesQuery } from "@/api/me";
import type { Rule, RuleBody } from "@/api/moderation";
import { AUDIENCES } from "@/features/moderation/rule-words";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface AudienceFieldsProps {
  body: RuleBody;
  onChange: (change: Partial<RuleBody>) => void;
}

export function AudienceFields({ body, onChange }: AudienceFieldsProps) {
  const { data: workspaces } = useQuery(workspacesQuery);
  const named = (workspaces ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const options = Object.entries(AUDIENCES)
    .filter(([value]) => value !== "workspace" || named.length > 0 || body.space_id)
    .map(([value, label]) => ({ value, label }));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Labelled label="For">
        {(id) => (
          <Select
            id={id}
            value={body.audience ?? "everybody"}
            options={options}
            onChange={(audience) => onChange({ audience: audience as Rule["audience"] })}
          />
        )}
      </Labelled>
      {body.audience === "workspace" && (
        <Labelled label="Workspace">
          {(id) => (
            <Select
              id={id}
              value={body.space_id ?? ""}
              options={[{ value: "", label: "Choose a workspace" }, ...named]}
              onChange={(space_id) => onChange({ space_id: space_id || null })}
            />
          )}
        </Labelled>
      )}
    </div>
  );
}
