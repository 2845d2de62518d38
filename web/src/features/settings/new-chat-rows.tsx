/** How new chats begin: a default model, and instructions that stand in their system prompt. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type Preferences, preferencesQuery, savePreferences } from "@/api/preferences";
import { asApiError } from "@/api/problem";
import { aboutQuery, modelsQuery } from "@/api/queries";
import { Setting } from "@/components/setting";
import { ModelChip } from "@/features/arena/model-chip";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

export function NewChatRows() {
  const { data: preferences } = useQuery(preferencesQuery);
  const { data: models } = useQuery(modelsQuery);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: savePreferences,
    onSuccess: (saved) => {
      client.setQueryData(preferencesQuery.queryKey, saved);
      showToast("Settings for new chats saved.");
    },
    onError: (error) => {
      const { message, detail } = asApiError(error);
      showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
    },
  });
  if (!preferences) return null;
  const change = (part: Partial<Preferences>) => save.mutateAsync({ ...preferences, ...part });
  const gone = preferences.model !== null && models && !models.some(({ id }) => id === preferences.model);
  return (
    <>
      <Setting
        name="Default model"
        about={
          gone
            ? `${preferences.model} is no longer in the model list. Choose another model.`
            : "New chats begin with it. Without one, they begin with the model you used last."
        }
      >
        <ModelChip value={preferences.model} onChange={(model) => change({ model })} />
        {preferences.model !== null && (
          <Button size="sm" variant="quiet" onClick={() => change({ model: null })}>
            Clear
          </Button>
        )}
      </Setting>
      <Instructions
        saved={preferences.instructions ?? ""}
        saving={save.isPending}
        onSave={(instructions) => change({ instructions: instructions.trim() || null })}
      />
    </>
  );
}

interface InstructionsProps {
  saved: string;
  saving: boolean;
  onSave: (text: string) => Promise<unknown>;
}

function Instructions({ saved, saving, onSave }: InstructionsProps) {
  const { data: about } = useQuery(aboutQuery);
  // What is saved meanwhile, here or in another tab, leaves what is being typed alone.
  const [typed, setText] = useState<string | null>(null);
  const text = typed ?? saved;
  const keep = () =>
    onSave(text).then(
      () => setText((now) => (now === text ? null : now)),
      () => undefined, // it is said, and the text stays
    );
  const id = useId();
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <label htmlFor={id} className="text-sm font-medium">
        Instructions
      </label>
      <p id={`${id}-about`} className="-mt-1.5 text-sm text-ink-2">
        The system prompt of new chats. You can change it in each chat's settings.
      </p>
      <textarea
        id={id}
        rows={4}
        maxLength={about?.max_prompt_chars}
        placeholder="None"
        aria-describedby={`${id}-about`}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
      />
      <div className="flex gap-2">
        <Button size="sm" disabled={text.trim() === saved || saving} onClick={keep}>
          Save instructions
        </Button>
        {text !== saved && (
          <Button size="sm" variant="quiet" onClick={() => setText(null)}>
            Discard changes
          </Button>
        )}
      </div>
    </div>
  );
}
