/** The plug-ins of YAML, the installed ones, and the way to servers of tools. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileCode2, FolderOpen, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMayWrite } from "@/api/permissions";
import {
  changePlugIn,
  deletePlugIn,
  type PlugIn,
  type PlugInList,
  plugInsKey,
  plugInsQuery,
  restorePlugIn,
} from "@/api/plug-ins";
import { asApiError } from "@/api/problem";
import { Setting } from "@/components/setting";
import { InstalledRows } from "@/features/plug-ins/installed-rows";
import { PlugInDialog } from "@/features/plug-ins/plug-in-dialog";
import { describe } from "@/features/plug-ins/words";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import { Switch } from "@/ui/switch";

const Guide = lazy(() => import("@/features/plug-ins/guide").then((part) => ({ default: part.Guide })));

export function PlugInRows() {
  const { data, error } = useQuery(plugInsQuery);
  if (error && !data) return <Setting name="Plug-ins can’t be listed" about={asApiError(error).message} />;
  return data ? <List data={data} /> : null;
}

function List({ data }: { data: PlugInList }) {
  const [editing, setEditing] = useState<PlugIn | "new" | null>(null);
  const [reading, setReading] = useState(false);
  const mayWrite = useMayWrite();
  const none = data.plug_ins.length === 0;
  return (
    <>
      {data.plug_ins.map((each) => (
        <Row key={each.id} plugIn={each} onOpen={() => setEditing(each)} />
      ))}
      <Setting
        name={none ? "No plug-ins yet" : "Add a plug-in"}
        about={
          <>
            {none &&
              "A plug-in is a short YAML file of one kind: a provider to choose, a check for the Prompt Lab, a card or chart for Analytics, or a word list. "}
            {data.folder && (
              <>
                Files in <code className="font-mono text-xs">{data.folder}</code> are for everybody.{" "}
              </>
            )}
            <button type="button" className="underline hover:text-ink" onClick={() => setReading(true)}>
              How to write one
            </button>
          </>
        }
      >
        {mayWrite && (
          <Button onClick={() => setEditing("new")}>
            <Plus aria-hidden="true" />
            Add plug-in
          </Button>
        )}
      </Setting>
      <InstalledRows installed={data.installed} />
      <Dialog
        open={reading}
        onOpenChange={setReading}
        title="Plug-ins"
        titled
        className="top-[6vh] max-h-[88vh] overflow-y-auto sm:w-[min(760px,calc(100vw-24px))]"
      >
        <Suspense fallback={<Skeleton className="m-5 h-60" />}>
          <Guide />
        </Suspense>
      </Dialog>
      {editing && (
        <PlugInDialog
          {...(editing !== "new" && { plugIn: editing })}
          mayAddForEverybody={data.may_add_for_everybody}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

function Row({ plugIn, onOpen }: { plugIn: PlugIn; onOpen: () => void }) {
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => client.invalidateQueries({ queryKey: plugInsKey }),
  });
  const remove = () =>
    act.mutate(() => deletePlugIn(plugIn.id), {
      onSuccess: () =>
        showToast(`${plugIn.title} deleted.`, {
          action: { label: "Undo", run: () => act.mutate(() => restorePlugIn(plugIn.id)) },
        }),
    });
  const { title, enabled, may_change, file, problem } = plugIn;
  return (
    <Setting
      name={title}
      about={
        <>
          <span className="block">
            {file && <FolderOpen aria-hidden="true" className="mr-1.5 inline size-3.5" />}
            {describe(plugIn)}
          </span>
          {problem && <span className="mt-0.5 block text-bad">Does nothing: {problem}</span>}
        </>
      }
    >
      <IconButton label={`${may_change ? "Edit" : "Show"} ${title}`} onClick={onOpen}>
        {may_change ? <Pencil /> : <FileCode2 />}
      </IconButton>
      {may_change && (
        <>
          <IconButton label={`Delete ${title}`} disabled={act.isPending} onClick={remove}>
            <Trash2 />
          </IconButton>
          <Switch
            label={title}
            on={enabled}
            disabled={act.isPending}
            onChange={(next) => act.mutate(() => changePlugIn(plugIn.id, { enabled: next }))}
          />
        </>
      )}
      {!may_change && <span className="text-sm text-ink-3">{enabled ? "On" : "Off"}</span>}
    </Setting>
  );
}
