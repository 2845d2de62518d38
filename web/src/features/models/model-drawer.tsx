/** One model, or several at once, beside the list: everything that is known of it and can be changed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { MessageCircle, Sparkles, Trash2, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { changePool } from "@/api/pool";
import { asApiError } from "@/api/problem";
import { changeModel, refreshCatalog } from "@/api/providers";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { isEditable, isUndescribed, type Places } from "@/features/models/list-state";
import { ModelFields } from "@/features/models/model-fields";
import { changesOf, commonForm, formOf, knownNote, type ModelForm } from "@/features/models/model-form";
import { ResultsLink } from "@/features/models/model-table";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";
import { DiscardQuestion, Drawer } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";
import { isTextField } from "@/ui/typed-text";

interface ModelDrawerProps {
  /** One, or those that are edited together. */
  models: readonly ModelCard[];
  all: readonly ModelCard[];
  places: Places;
  mayManage: boolean;
  onClose: () => void;
  onRemove: () => void;
}

export function ModelDrawer(props: ModelDrawerProps) {
  const beside = useMedia("(min-width: 1180px)");
  const [first] = props.models;
  const title =
    props.models.length > 1 ? `Edit ${counted(props.models.length, "model")}` : (first?.name ?? "");
  const changed = useRef(false);
  const field = useRef<HTMLElement | null>(null);
  const [asking, setAsking] = useState(false);
  const leave = () => {
    if (!changed.current) return props.onClose();
    field.current = isTextField(document.activeElement) ? document.activeElement : null;
    setAsking(true);
  };
  const content = (
    <>
      <Content {...props} title={title} changed={changed} onLeave={leave} />
      <DiscardQuestion
        open={asking}
        field={field}
        onKeep={() => setAsking(false)}
        onDiscard={props.onClose}
      />
    </>
  );
  if (beside) {
    return (
      <aside
        aria-label={title}
        className="flex w-[392px] shrink-0 animate-fade-in flex-col border-l border-line bg-surface"
      >
        {content}
      </aside>
    );
  }
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && leave()}
      title={title}
      className="right-0 flex w-[min(440px,100vw)] flex-col border-l [--drawer-from:100%]"
    >
      {content}
    </Drawer>
  );
}

interface ContentProps extends ModelDrawerProps {
  title: string;
  /** Whether something in it is not saved. */
  changed: RefObject<boolean>;
  /** Close it, unless something would be lost. */
  onLeave: () => void;
}

function Content(props: ContentProps) {
  const { models, all, places, mayManage, changed, onClose, onLeave, onRemove, title } = props;
  const [{ form: before, mixed }] = useState(() =>
    commonForm(models.map((model) => formOf(model, places.get(model.id)))),
  );
  const [form, setForm] = useState(before);
  const changes = changesOf(before, form);
  changed.current = Boolean(changes.model || changes.place || changes.problem);
  const save = useSave(models, onClose);
  const [model] = models as [ModelCard, ...ModelCard[]];
  const one = models.length === 1;
  const editable = mayManage && models.some(isEditable);
  const closing = useRef<HTMLFormElement>(null);
  useEscape(onLeave);
  // Once: the catalog is fetched anew every few seconds, and must not take the cursor from the field in use.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const target = isUndescribed(model) && one && editable ? "input[data-first]" : "h2";
    closing.current?.querySelector<HTMLElement>(target)?.focus();
  }, []);
  const problem = changes.problem?.text ?? (save.error && asApiError(save.error).message);
  return (
    <form
      ref={closing}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(changes);
      }}
    >
      <Header model={one ? model : null} title={title} onClose={onLeave} />
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroll-area>
        <ModelFields
          models={models}
          all={all}
          form={form}
          mixed={mixed}
          editable={editable}
          mayManage={mayManage}
          note={one ? <Note model={model} /> : null}
          onChange={(change: Partial<ModelForm>) => setForm({ ...form, ...change })}
        />
      </div>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
        {problem && (
          <p role="alert" className="w-full text-sm text-bad">
            {problem}
          </p>
        )}
        {editable && (
          <Button variant="quiet" className="-ml-3 text-bad!" onClick={onRemove}>
            <Trash2 aria-hidden="true" />
            {one ? "Remove model" : "Remove models"}
          </Button>
        )}
        <span className="flex-1" />
        <Button onClick={onClose}>{mayManage ? "Cancel" : "Close"}</Button>
        {mayManage && (
          <Button
            type="submit"
            variant="primary"
            disabled={save.isPending || changes.problem !== undefined || !(changes.model || changes.place)}
          >
            Save
          </Button>
        )}
      </footer>
    </form>
  );
}

interface HeaderProps {
  model: ModelCard | null;
  title: string;
  onClose: () => void;
}

function Header({ model, title, onClose }: HeaderProps) {
  const navigate = useNavigate();
  return (
    <header className="flex items-center gap-3 px-5 pt-4 pb-3">
      {model && <ModelMark organization={model.organization} name={model.name} size="md" />}
      <div className="min-w-0 flex-1">
        <h2 tabIndex={-1} className="truncate text-base font-semibold outline-none" title={title}>
          {title}
        </h2>
        {model && (
          <p className="flex items-center gap-2 text-xs text-ink-3">
            <code className="truncate font-mono">{model.id}</code>
            <ResultsLink model={model} />
          </p>
        )}
      </div>
      {model?.enabled && (
        <IconButton
          label={`Chat with ${model.name}`}
          hint="Start a chat"
          onClick={() => navigate({ to: "/", search: { mode: "chat", model: model.id } })}
        >
          <MessageCircle />
        </IconButton>
      )}
      <IconButton label="Close" onClick={onClose}>
        <X />
      </IconButton>
    </header>
  );
}

/** Where the facts are from, once for all of them. */
function Note({ model }: { model: ModelCard }) {
  const text = knownNote(model);
  if (!text) return null;
  return (
    <Said icon={<Sparkles aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-accent" />}>
      {text}
    </Said>
  );
}

export const Said = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <p className="mx-5 mb-1 flex gap-2.5 rounded-md bg-raised px-3 py-2.5 text-sm text-ink-2">
    {icon}
    <span>{children}</span>
  </p>
);

/** Stores the changes: the place in the pool of all models, the rest where the page may change it. */
function useSave(models: readonly ModelCard[], onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ model, place }: ReturnType<typeof changesOf>) => {
      for (const each of model ? models.filter(isEditable) : []) await changeModel(each.id, model ?? {});
      if (place) await changePool(client, Object.fromEntries(models.map(({ id }) => [id, place])));
    },
    onSuccess: () => {
      showToast(models.length > 1 ? `${counted(models.length, "model")} changed.` : "Model saved.");
      onSaved();
    },
    onSettled: () => refreshCatalog(client),
  });
}

function useEscape(onClose: () => void) {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) close.current();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
