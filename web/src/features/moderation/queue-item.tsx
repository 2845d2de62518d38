/** One finding of a rule, with what can be done about it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, Flag, OctagonPause, Trash2 } from "lucide-react";
import { useState } from "react";
import { deleteItem, type Item, keepItem, moderationKey, releaseItem } from "@/api/moderation";
import { asApiError } from "@/api/problem";
import { RelativeTime } from "@/components/relative-time";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

const PURPOSES: Record<string, string> = { reply: "", api: "from a program", lab: "in the Prompt Lab" };

const LONG = 600;

export function QueueItem({ item }: { item: Item }) {
  const client = useQueryClient();
  const [whole, setWhole] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const act = useMutation({
    mutationFn: (work: (id: string) => Promise<unknown>) => work(item.id),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => client.invalidateQueries({ queryKey: moderationKey }),
  });
  const held = item.verdict === "hold";
  const long = item.text.length > LONG && !whole;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
        <Verdict held={held} />
        <span className="font-medium">{item.rule}</span>
        <span className="text-ink-2 [overflow-wrap:anywhere]">{item.why}</span>
        <span className="text-xs text-ink-3 sm:ml-auto">
          {stateOf(item)}
          <RelativeTime at={item.created_at} />
        </span>
      </p>
      <blockquote className="max-h-96 overflow-y-auto rounded-sm bg-page px-3 py-2 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {long ? `${item.text.slice(0, LONG)}…` : item.text}
      </blockquote>
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-full text-xs text-ink-3 sm:basis-48">{whoseOf(item)}</p>
        {long && (
          <Button size="sm" variant="quiet" onClick={() => setWhole(true)}>
            Show all
          </Button>
        )}
        {item.state !== "released" && (
          <Button size="sm" disabled={act.isPending} onClick={() => act.mutate(releaseItem)}>
            <Check aria-hidden="true" />
            Release
          </Button>
        )}
        {item.state === "open" && (
          <Button size="sm" disabled={act.isPending} onClick={() => act.mutate(keepItem)}>
            {held ? "Keep held" : "Keep flagged"}
          </Button>
        )}
        <Button size="sm" className="text-bad!" disabled={act.isPending} onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      </div>
      <Dialog open={deleting} onOpenChange={setDeleting} title="Delete this finding?" titled>
        <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
          <p className="text-sm text-ink-2">
            {held && item.state !== "released"
              ? "Its text is deleted here for good, and can’t be released any more. It stays held."
              : "It is deleted from this queue for good. The conversation stays as it is."}
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setDeleting(false)}>Cancel</Button>
            <Button variant="primary" disabled={act.isPending} onClick={() => act.mutate(deleteItem)}>
              Delete finding
            </Button>
          </div>
        </div>
      </Dialog>
    </li>
  );
}

function Verdict({ held }: { held: boolean }) {
  const Icon = held ? OctagonPause : Flag;
  return (
    <span
      className={`inline-flex items-center gap-1 text-xs font-medium ${held ? "text-bad" : "text-ink-2"}`}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {held ? "Held" : "Flagged"}
    </span>
  );
}

const stateOf = ({ state }: Item) =>
  state === "open" ? "" : state === "released" ? "Released · " : "Kept · ";

/** Whose words they are, and where they were said. */
function whoseOf({ moment, who, model_id, purpose, restorable, state }: Item): string {
  const person = `person ${who.slice(0, 8)}`;
  const whose =
    moment === "prompt" ? `Prompt of ${person}` : `Reply of ${model_id ?? "a hidden model"} to ${person}`;
  const place = PURPOSES[purpose] ?? purpose;
  const after = state !== "released" && restorable ? " Released, it is shown in its conversation." : "";
  return `${[whose, place].filter(Boolean).join(" ")}.${after}`;
}
