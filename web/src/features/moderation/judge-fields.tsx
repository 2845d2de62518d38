/** The fields of a rule that say what decides: a list, or a model with a policy. */
import { useQuery } from "@tanstack/react-query";
import type { RuleBody } from "@/api/moderation";
import { modelsQuery } from "@/api/queries";
import { Labelled } from "@/ui/labelled";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

const AREA =
  "focus-inset w-full resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong";

interface JudgeFieldsProps {
  body: RuleBody;
  onChange: (change: Partial<RuleBody>) => void;
}

export function JudgeFields({ body, onChange }: JudgeFieldsProps) {
  if (body.kind === "words" || body.kind === "patterns") {
    return <TermsField body={body} onChange={onChange} />;
  }
  return (
    <>
      <ModelField body={body} onChange={onChange} />
      {body.kind === "model" && (
        <Labelled
          label="Policy"
          hint="What breaks it. The model is asked for yes or no about each prompt or reply."
        >
          {(id, hintId) => (
            <textarea
              id={id}
              aria-describedby={hintId}
              rows={4}
              maxLength={8000}
              value={body.policy}
              onChange={(event) => onChange({ policy: event.target.value })}
              className={AREA}
            />
          )}
        </Labelled>
      )}
      <div className="flex flex-col gap-1.5">
        <span className="text-sm font-medium">If it can’t be asked</span>
        <Segmented
          label="If it can’t be asked"
          className="self-start"
          value={body.on_failure ?? "flag"}
          options={[
            { value: "flag", label: "Pass and flag" },
            { value: "hold", label: "Hold" },
          ]}
          onChange={(on_failure) => onChange({ on_failure })}
        />
      </div>
    </>
  );
}

function TermsField({ body, onChange }: JudgeFieldsProps) {
  const words = body.kind === "words";
  return (
    <Labelled
      label={words ? "Words and phrases" : "Patterns"}
      hint={
        words
          ? "One on each line. Whole words are found, in capitals or not."
          : "One regular expression on each line, without look-around. (?i) ignores case."
      }
    >
      {(id, hintId) => (
        <textarea
          id={id}
          aria-describedby={hintId}
          rows={6}
          spellCheck={false}
          value={(body.terms ?? []).join("\n")}
          onChange={({ target }) => onChange({ terms: target.value ? target.value.split("\n") : [] })}
          className={`${AREA} ${words ? "" : "font-mono"}`}
        />
      )}
    </Labelled>
  );
}

function ModelField({ body, onChange }: JudgeFieldsProps) {
  const { data: models } = useQuery(modelsQuery);
  const asks = body.kind === "model";
  const named = (models ?? [])
    .filter(({ kind, capabilities }) => kind === "single" && (!asks || capabilities.includes("text")))
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Labelled
      label="Model"
      hint={
        asks
          ? "It reads each prompt or reply that is checked. Its calls count against everybody’s own limits."
          : "A model of a provider with OpenAI’s /moderations, added to the models by its name there."
      }
    >
      {(id, hintId) => (
        <Select
          id={id}
          aria-describedby={hintId}
          value={body.model_id ?? ""}
          options={[{ value: "", label: "Choose a model" }, ...named]}
          onChange={(model_id) => onChange({ model_id: model_id || null })}
        />
      )}
    </Labelled>
  );
}
