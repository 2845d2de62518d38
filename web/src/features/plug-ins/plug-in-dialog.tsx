/** Writes a plug-in, from an example, a file or what is pasted; or shows one that is not one's own to change. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { addPlugIn, changePlugIn, type PlugIn, type PlugInKind, plugInsKey } from "@/api/plug-ins";
import { asApiError } from "@/api/problem";
import { aboutQuery } from "@/api/queries";
import { EXAMPLES, KINDS, OF_ADMINISTRATORS } from "@/features/plug-ins/words";
import { currentSpace } from "@/lib/space";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Labelled } from "@/ui/labelled";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

const MOST_BYTES = 32_768;

interface PlugInDialogProps {
  plugIn?: PlugIn;
  mayAddForEverybody: boolean;
  onClose: () => void;
}

export function PlugInDialog({ plugIn, mayAddForEverybody, onClose }: PlugInDialogProps) {
  const client = useQueryClient();
  const { data: about } = useQuery(aboutQuery);
  const [text, setText] = useState(plugIn?.text ?? EXAMPLES.check);
  const [everybody, setEverybody] = useState(false);
  const [fileProblem, setFileProblem] = useState("");
  const fixed = plugIn !== undefined && !plugIn.may_change;
  const save = useMutation({
    mutationFn: () => (plugIn ? changePlugIn(plugIn.id, { text }) : addPlugIn({ text, everybody })),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: plugInsKey });
      showToast(plugIn ? `${saved.title} saved.` : `${saved.title} added.`);
      onClose();
    },
  });
  const take = async (file: File | undefined) => {
    setFileProblem("");
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new Error("A plug-in has at most 32 kB.");
      setText(new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()));
    } catch (error) {
      const why = error instanceof TypeError ? "It is not UTF-8." : (error as Error).message;
      setFileProblem(`${file.name} was not read. ${why}`);
    }
  };
  const problem = save.error ? asApiError(save.error) : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={plugIn?.title ?? "Add plug-in"}
      titled
      className="top-[6vh] max-h-[88vh] overflow-y-auto sm:w-[min(680px,calc(100vw-24px))]"
    >
      <form
        className="flex flex-col gap-4 px-5 pt-3 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        {!plugIn && <Start mayAddForEverybody={mayAddForEverybody} onText={setText} onFile={take} />}
        {fileProblem && (
          <p role="alert" className="text-sm text-bad">
            {fileProblem}
          </p>
        )}
        <Labelled label="YAML">
          {(id) => (
            <textarea
              id={id}
              rows={14}
              spellCheck={false}
              readOnly={fixed}
              value={text}
              aria-invalid={problem !== null}
              onChange={({ target }) => setText(target.value)}
              className="focus-inset w-full resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 font-mono text-[13px] hover:border-line-strong"
            />
          )}
        </Labelled>
        {!plugIn && mayAddForEverybody && about?.mode === "shared" && (
          <Segmented
            label="For"
            className="self-start"
            value={everybody ? "everybody" : "here"}
            options={[
              { value: "here", label: currentSpace() ? "This workspace" : "Only me" },
              { value: "everybody", label: "Everybody" },
            ]}
            onChange={(value) => setEverybody(value === "everybody")}
          />
        )}
        {problem && (
          <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
            {problem.message} {problem.detail}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{fixed ? "Close" : "Cancel"}</Button>
          {!fixed && (
            <Button type="submit" variant="primary" disabled={!text.trim() || save.isPending}>
              {plugIn ? "Save plug-in" : "Add plug-in"}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface StartProps {
  mayAddForEverybody: boolean;
  onText: (text: string) => void;
  onFile: (file: File | undefined) => void;
}

/** An example to begin with, or a file. */
function Start({ mayAddForEverybody, onText, onFile }: StartProps) {
  const input = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<PlugInKind>("check");
  const kinds = (Object.keys(EXAMPLES) as PlugInKind[]).filter(
    (each) => mayAddForEverybody || !OF_ADMINISTRATORS.includes(each),
  );
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Labelled label="Begin with an example">
        {(id) => (
          <Select
            id={id}
            value={kind}
            options={kinds.map((value) => ({ value, label: KINDS[value] }))}
            onChange={(next) => {
              setKind(next as PlugInKind);
              onText(EXAMPLES[next as PlugInKind]);
            }}
          />
        )}
      </Labelled>
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml"
        aria-label="YAML file of a plug-in"
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          void onFile(file);
        }}
      />
    </div>
  );
}
