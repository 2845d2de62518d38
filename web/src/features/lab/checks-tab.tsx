/** The checks of a prompt: each gives an answer a verdict, and all together its score. */

import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { CheckDialog } from "@/features/lab/check-dialog";
import { CHECK_KINDS, checkWords, kindOf } from "@/features/lab/check-kinds";
import { JudgePassport } from "@/features/lab/judge-passport";
import { judgeOf } from "@/features/lab/judges-api";
import { type Check, changePrompt, type PromptDetail, useChangePrompt } from "@/features/lab/lab-api";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

function Passport({ check }: { check: Check }) {
  const model = judgeOf(check);
  return model ? <JudgePassport model={model} /> : null;
}

export function ChecksTab({ detail: { prompt } }: { detail: PromptDetail }) {
  const checks = prompt.checks as Check[];
  const [editing, setEditing] = useState<number | null>(null);
  const save = useChangePrompt((next: Check[]) => changePrompt(prompt.id, { checks: next }));
  const at = editing ?? checks.length;
  return (
    <div className="min-w-0 flex-1 overflow-y-auto px-5 py-4">
      <div className="flex max-w-2xl flex-col gap-3">
        <p className="text-sm text-ink-2">
          Each check passes or fails an answer. The score of an answer is the mean of its checks by weight.{" "}
          {"{{expected}}"} stands for the row’s expected answer, and {"{{words}}"} for its values.
        </p>
        <ul aria-label="Checks" className="flex flex-col gap-2">
          {checks.map((check, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: checks have no ids
              key={index}
              className="flex items-center gap-2 rounded-md border border-line bg-surface py-1.5 pr-1.5 pl-3.5"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">
                  {check.label || `${check.negate ? "Not: " : ""}${kindOf(check)?.label ?? check.kind}`}
                </span>
                <span className="block truncate text-xs text-ink-3">
                  {kindOf(check)?.label}
                  {checkWords(check) && `: ${checkWords(check)}`}
                  {check.weight !== undefined && check.weight !== 1 && ` · weight ${check.weight}`}
                </span>
                <Passport check={check} />
              </span>
              <IconButton label={`Edit check ${index + 1}`} onClick={() => setEditing(index)}>
                <Pencil />
              </IconButton>
              <IconButton
                label={`Remove check ${index + 1}`}
                onClick={() =>
                  save.mutate(
                    checks.filter((_, place) => place !== index),
                    {
                      onSuccess: () =>
                        showToast("Check removed.", {
                          action: { label: "Undo", run: () => save.mutate(checks) },
                        }),
                    },
                  )
                }
              >
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </ul>
        <Button className="self-start" onClick={() => setEditing(checks.length)}>
          <Plus aria-hidden="true" />
          Add check
        </Button>
        {checks.length === 0 && (
          <p className="text-xs text-ink-3">Without checks a run has answers and no scores.</p>
        )}
      </div>
      {editing !== null && (
        <CheckDialog
          check={checks[editing] ?? { kind: "contains", ...CHECK_KINDS[0]?.start }}
          isNew={editing === checks.length}
          pending={save.isPending}
          onSave={(check) =>
            save.mutate([...checks.slice(0, at), check, ...checks.slice(at + 1)], {
              onSuccess: () => setEditing(null),
            })
          }
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}
