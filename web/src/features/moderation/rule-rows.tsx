/** The rules of moderation, and the way to what they have found. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { changeRule, moderationKey, type Rule, removeRule, rulesQuery } from "@/api/moderation";
import { asApiError } from "@/api/problem";
import { Setting } from "@/components/setting";
import { RuleDialog } from "@/features/moderation/rule-dialog";
import { bodyOf, describe } from "@/features/moderation/rule-words";
import { useModeration } from "@/features/moderation/use-moderation";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";
import { Switch } from "@/ui/switch";

export function RuleRows() {
  const moderation = useModeration();
  const [editing, setEditing] = useState<Rule | "new" | null>(null);
  if (!moderation) return null;
  const { rules, open } = moderation;
  return (
    <>
      {rules.map((rule) => (
        <Row key={rule.id} rule={rule} onChange={() => setEditing(rule)} />
      ))}
      <Setting
        name={rules.length ? "Review queue" : "No rules yet"}
        about={
          rules.length || open
            ? open
              ? `${counted(open, "finding")} to review.`
              : "Nothing to review."
            : "Without a rule nothing is checked. A rule is a list of words, a list of patterns, or a model with a policy."
        }
      >
        {(rules.length > 0 || open > 0) && (
          <Button asChild>
            <Link to="/moderation">Open the queue</Link>
          </Button>
        )}
        <Button onClick={() => setEditing("new")}>
          <Plus aria-hidden="true" />
          Add rule
        </Button>
      </Setting>
      {editing && (
        <RuleDialog {...(editing !== "new" && { rule: editing })} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function Row({ rule, onChange }: { rule: Rule; onChange: () => void }) {
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const act = useMutation({
    mutationFn: (work: () => ReturnType<typeof removeRule>) => work(),
    onSuccess: (list) => {
      client.setQueryData(rulesQuery.queryKey, list);
      setRemoving(false);
      return client.invalidateQueries({ queryKey: moderationKey });
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <Setting name={rule.name} about={describe(rule)}>
      <IconButton label={`Change ${rule.name}`} onClick={onChange}>
        <Pencil />
      </IconButton>
      <IconButton label={`Remove ${rule.name}`} onClick={() => setRemoving(true)}>
        <Trash2 />
      </IconButton>
      <Switch
        label={rule.name}
        on={rule.enabled}
        disabled={act.isPending}
        onChange={(enabled) => act.mutate(() => changeRule(rule.id, { ...bodyOf(rule), enabled }))}
      />
      <Dialog open={removing} onOpenChange={setRemoving} title={`Remove “${rule.name}”?`} titled>
        <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
          <p className="text-sm text-ink-2">
            From now on nothing is checked by it. What it has found stays in the review queue.
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setRemoving(false)}>Cancel</Button>
            <Button
              variant="primary"
              disabled={act.isPending}
              onClick={() => act.mutate(() => removeRule(rule.id))}
            >
              Remove rule
            </Button>
          </div>
        </div>
      </Dialog>
    </Setting>
  );
}
