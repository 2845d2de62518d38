/** The tags of a session, or of several: each change is saved at once. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { asApiError } from "@/api/problem";
import { sessionsKey } from "@/api/queries";
import { type ChangeSessions, changeSessions, tagsQuery } from "@/api/sessions";
import type { SessionCard } from "@/api/types";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";

const TAG_CHARS = 40;

export function TagDialog({ sessions, onClose }: { sessions: SessionCard[]; onClose: () => void }) {
  const client = useQueryClient();
  const field = useId();
  const known = useId();
  const [typed, setTyped] = useState("");
  const [tags, setTags] = useState(() => [...new Set(sessions.flatMap((session) => session.tags))].sort());
  const { data: all = [] } = useQuery(tagsQuery);
  const [problem, setProblem] = useState("");
  const save = async (next: readonly string[], change: Omit<ChangeSessions, "ids">) => {
    const before = tags;
    setTags([...new Set(next)].sort());
    setProblem("");
    try {
      await changeSessions({ ids: sessions.map(({ id }) => id), ...change });
    } catch (error) {
      setTags(before);
      setProblem(asApiError(error).message);
    } finally {
      client.invalidateQueries({ queryKey: sessionsKey });
    }
  };
  const name = typed.trim().replace(/\s+/g, " ").toLowerCase();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={sessions.length === 1 ? "Tags" : `Tags of ${counted(sessions.length, "session")}`}
      titled
    >
      <form
        className="flex flex-col gap-4 px-5 pt-3 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (name) save([...tags, name], { add_tags: [name] });
          setTyped("");
        }}
      >
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li
                key={tag}
                className="flex max-w-full items-center rounded-sm border border-line bg-raised pl-2"
              >
                <span className="truncate text-sm">{tag}</span>
                <Button
                  variant="quiet"
                  size="icon-sm"
                  aria-label={`Remove tag ${tag}`}
                  onClick={() =>
                    save(
                      tags.filter((each) => each !== tag),
                      { remove_tags: [tag] },
                    )
                  }
                >
                  <X aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-col gap-1.5">
          <label htmlFor={field} className="text-sm font-medium">
            New tag
          </label>
          <div className="flex gap-2">
            <Field
              id={field}
              list={known}
              autoComplete="off"
              maxLength={TAG_CHARS}
              className="min-w-0 flex-1"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" disabled={name === ""}>
              Add tag
            </Button>
          </div>
          <datalist id={known}>
            {all.map((tag) => (
              <option key={tag.name} value={tag.name} />
            ))}
          </datalist>
          <p role="alert" className="text-sm text-bad empty:hidden">
            {problem}
          </p>
        </div>
        <Button variant="primary" className="self-end" onClick={onClose}>
          Done
        </Button>
      </form>
    </Dialog>
  );
}
