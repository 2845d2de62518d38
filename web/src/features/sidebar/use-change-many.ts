/** Archive and delete several sessions; both can be undone. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { asApiError } from "@/api/problem";
import { sessionKey, sessionsKey } from "@/api/queries";
import { type ChangeSessions, changeSessions } from "@/api/sessions";
import type { SessionCard } from "@/api/types";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";

export function useChangeMany(sessions: readonly SessionCard[], onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session: open } = useParams({ strict: false });
  const ids = sessions.map(({ id }) => id);

  const attempt = async (change: ChangeSessions) => {
    try {
      await changeSessions(change);
      return true;
    } catch (error) {
      showToast(asApiError(error).message, { tone: "bad" });
      return false;
    } finally {
      client.invalidateQueries({ queryKey: sessionsKey });
      for (const id of change.ids) client.invalidateQueries({ queryKey: sessionKey(id) });
    }
  };

  /** Undo is offered for those that were changed. */
  const change = async (there: ChangeSessions, back: ChangeSessions, said: string) => {
    if (there.ids.length > 0 && !(await attempt(there))) return false;
    onDone();
    showToast(said, { action: { label: "Undo", run: () => attempt(back) } });
    return true;
  };

  return {
    archive: (archived: boolean) => {
      const changed = sessions.filter((session) => session.archived !== archived).map(({ id }) => id);
      const many = counted(changed.length, "session");
      return change(
        { ids: changed, archived },
        { ids: changed, archived: !archived },
        archived ? `Archived ${many}.` : `Unarchived ${many}.`,
      );
    },
    remove: async () => {
      const said = `Deleted ${counted(ids.length, "session")}.`;
      if (!(await change({ ids, deleted: true }, { ids, deleted: false }, said))) return;
      if (open !== undefined && ids.includes(open)) navigate({ to: "/", search: {} });
      for (const id of ids) client.removeQueries({ queryKey: sessionKey(id) });
    },
  };
}
