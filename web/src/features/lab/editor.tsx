/** The draft: its messages, variables and options, and beside them one model's answer. */

import { Plus, Trash2 } from "lucide-react";
import { type Draft, useDrafts, variablesOf } from "@/features/lab/draft";
import type { PromptDetail, Variable } from "@/features/lab/lab-api";
import { TryPanel } from "@/features/lab/try-panel";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";

const ROLES = [
  { value: "system", label: "System" },
  { value: "user", label: "User" },
  { value: "assistant", label: "Assistant" },
];

const KINDS = ["text", "choice", "number", "list", "file"].map((value) => ({ value, label: value }));

interface EditorProps {
  detail: PromptDetail;
  draft: Draft;
}

export function Editor({ detail, draft }: EditorProps) {
  const set = useDrafts((store) => store.set);
  const change = (part: Partial<Draft>) => set(detail.prompt.id, { ...draft, ...part });
  const changeMessage = (at: number, part: Partial<Draft["messages"][number]>) =>
    change({ messages: draft.messages.map((each, index) => (index === at ? { ...each, ...part } : each)) });
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <div className="min-w-0 flex-1 px-5 py-4 lg:overflow-y-auto">
        {draft.messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids, and move only by being added last
          <section key={at} aria-label={`Message ${at + 1}`} className="mb-4">
            <div className="mb-1.5 flex items-center gap-2">
              <Select
                aria-label={`Role of message ${at + 1}`}
                value={message.role}
                options={ROLES}
                onChange={(role) => changeMessage(at, { role: role as Draft["messages"][number]["role"] })}
              />
              <span className="flex-1" />
              {draft.messages.length > 1 && (
                <IconButton
                  size="icon-sm"
                  label={`Remove message ${at + 1}`}
                  onClick={() => change({ messages: draft.messages.filter((_, index) => index !== at) })}
                >
                  <Trash2 />
                </IconButton>
              )}
            </div>
            <textarea
              aria-label={`Text of message ${at + 1}`}
              value={message.text}
              rows={Math.min(18, Math.max(4, message.text.split("\n").length + 1))}
              maxLength={30_000}
              spellCheck={false}
              onChange={({ target }) => changeMessage(at, { text: target.value })}
              className="focus-inset block w-full resize-y rounded-md border border-line bg-surface px-3.5 py-2.5 font-mono text-[13px] leading-relaxed hover:border-line-strong"
            />
          </section>
        ))}
        <div className="mb-5 flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            onClick={() =>
              change({
                messages:
                  draft.messages[0]?.role === "system"
                    ? [...draft.messages, { role: "user", text: "" }]
                    : [{ role: "system", text: "" }, ...draft.messages],
              })
            }
          >
            <Plus aria-hidden="true" />
            {draft.messages[0]?.role === "system" ? "Message" : "System message"}
          </Button>
          <span className="text-xs text-ink-3">{"{{words}}"} in braces are variables.</span>
        </div>
        <Variables draft={draft} onChange={(variables) => change({ variables })} />
        <Options draft={draft} onChange={(options) => change({ options })} />
      </div>
      <TryPanel detail={detail} draft={draft} />
    </div>
  );
}

interface VariablesProps {
  draft: Draft;
  onChange: (variables: Variable[]) => void;
}

function Variables({ draft, onChange }: VariablesProps) {
  const variables = variablesOf(draft);
  if (variables.length === 0) return null;
  const change = (at: number, part: Partial<Variable>) =>
    onChange(variables.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <section aria-label="Variables" className="mb-5">
      <h2 className="mb-2 text-sm font-medium">Variables</h2>
      <ul className="flex flex-col gap-2">
        {variables.map((variable, at) => (
          <li key={variable.name} className="flex flex-wrap items-center gap-2">
            <code className="min-w-28 font-mono text-[13px] text-accent">{`{{${variable.name}}}`}</code>
            <Select
              aria-label={`Kind of ${variable.name}`}
              value={variable.kind ?? "text"}
              options={KINDS}
              onChange={(kind) => change(at, { kind: kind as NonNullable<Variable["kind"]> })}
            />
            {variable.kind === "choice" && (
              <Field
                key={variable.choices?.length ? "filled" : "empty"}
                aria-label={`Choices of ${variable.name}`}
                className="min-w-44 flex-1"
                placeholder="Choices, with commas between"
                defaultValue={variable.choices?.join(", ")}
                onBlur={({ target }) =>
                  change(at, {
                    choices: target.value
                      .split(",")
                      .map((it) => it.trim())
                      .filter(Boolean),
                  })
                }
              />
            )}
            {variable.kind === "number" &&
              (["least", "most"] as const).map((end) => (
                <Field
                  key={end}
                  type="number"
                  aria-label={`${end === "least" ? "Least" : "Most"} ${variable.name}`}
                  placeholder={end}
                  className="w-24"
                  value={variable[end] ?? ""}
                  onChange={({ target }) =>
                    change(at, { [end]: target.value === "" ? null : Number(target.value) })
                  }
                />
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OptionsProps {
  draft: Draft;
  onChange: (options: Draft["options"]) => void;
}

function Options({ draft: { options }, onChange }: OptionsProps) {
  const number = (name: "temperature" | "max_output_tokens" | "seed", label: string, hint: string) => (
    <span className="flex items-center gap-2 text-sm text-ink-2">
      {label}
      <Field
        type="number"
        aria-label={label}
        step={name === "temperature" ? 0.1 : 1}
        min={0}
        className="w-24"
        placeholder={hint}
        value={options[name] ?? ""}
        onChange={({ target }) =>
          onChange({ ...options, [name]: target.value === "" ? null : Number(target.value) })
        }
      />
    </span>
  );
  return (
    <section aria-label="Options">
      <h2 className="mb-2 text-sm font-medium">Options</h2>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {number("temperature", "Temperature", "usual")}
        {number("max_output_tokens", "Token limit", "2048")}
        {number("seed", "Seed", "none")}
      </div>
    </section>
  );
}
