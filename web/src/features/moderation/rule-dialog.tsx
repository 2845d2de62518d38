/** Adds a rule, or changes one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "@/api/me";
import { addRule, changeRule, moderationKey, type Rule, type RuleBody } from "@/api/moderation";
import { asApiError } from "@/api/problem";
import { AudienceFields } from "@/features/moderation/audience-fields";
import { JudgeFields } from "@/features/moderation/judge-fields";
import { bodyOf, KINDS, MOMENTS, NEW_RULE } from "@/features/moderation/rule-words";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const VERDICTS: { value: Rule["verdict"]; label: string }[] = [
  { value: "flag", label: "Flag" },
  { value: "hold", label: "Hold" },
];

export function RuleDialog({ rule, onClose }: { rule?: Rule; onClose: () => void }) {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [body, setBody] = useState<RuleBody>(rule ? bodyOf(rule) : NEW_RULE);
  const change = (next: Partial<RuleBody>) => setBody((before) => ({ ...before, ...next }));
  const save = useMutation({
    mutationFn: () => (rule ? changeRule(rule.id, body) : addRule(body)),
    onSuccess: () => client.invalidateQueries({ queryKey: moderationKey }).then(onClose),
  });
  const lists = body.kind === "words" || body.kind === "patterns";
  const decides = lists
    ? (body.terms ?? []).length > 0
    : Boolean(body.model_id) && (body.kind === "endpoint" || body.policy?.trim());
  const ready = Boolean(body.name.trim() && decides && (body.audience !== "workspace" || body.space_id));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={rule ? rule.name : "New rule"}
      titled
      className="top-[6vh] max-h-[88vh] overflow-y-auto"
    >
      <form
        className="flex flex-col gap-4 px-5 pt-4 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !save.isPending) save.mutate();
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Labelled label="Name">
            {(id) => (
              <Field
                id={id}
                required
                autoFocus
                maxLength={80}
                value={body.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label="Decided by">
            {(id) => (
              <Select
                id={id}
                value={body.kind}
                options={optionsOf(KINDS)}
                onChange={(kind) => change({ kind: kind as Rule["kind"] })}
              />
            )}
          </Labelled>
        </div>
        <JudgeFields body={body} onChange={change} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Labelled label="Checks">
            {(id) => (
              <Select
                id={id}
                value={body.moment ?? "prompt"}
                options={optionsOf(MOMENTS)}
                onChange={(moment) => change({ moment: moment as Rule["moment"] })}
              />
            )}
          </Labelled>
          <div className="flex flex-col gap-1.5">
            <span className="text-sm font-medium">Then</span>
            <Segmented
              label="Then"
              className="self-start"
              value={body.verdict ?? "flag"}
              options={VERDICTS}
              onChange={(verdict) => change({ verdict })}
            />
          </div>
        </div>
        <p className="-mt-2 text-xs text-ink-3">{consequence(body)}</p>
        {body.moment !== "prompt" && (
          <label className="flex items-start gap-2 text-sm">
            <Checkbox
              className="mt-0.5"
              checked={body.before_showing ?? false}
              onChange={(event) => change({ before_showing: event.target.checked })}
            />
            <span>
              Check before showing
              <span className="block text-xs text-ink-3">
                Replies of everybody then appear all at once, when they are complete.
              </span>
            </span>
          </label>
        )}
        {me?.mode === "shared" && <AudienceFields body={body} onChange={change} />}
        {save.error !== null && (
          <p role="alert" className="text-sm text-bad">
            {asApiError(save.error).message} {asApiError(save.error).detail}
          </p>
        )}
        <Button type="submit" variant="primary" className="self-end" disabled={save.isPending || !ready}>
          {rule ? "Save rule" : "Add rule"}
        </Button>
      </form>
    </Dialog>
  );
}

function consequence({ verdict, moment, before_showing }: RuleBody): string {
  if (verdict !== "hold") return "It is sent and shown as usual, and waits in the review queue.";
  if (moment === "prompt") return "It is sent to no model until an administrator releases it.";
  const shown = before_showing ? "never shown" : "taken back after it was streamed, so it may have been read";
  return `A reply is ${shown}; a blind battle with it is void.`;
}
