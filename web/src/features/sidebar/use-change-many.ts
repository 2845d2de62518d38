/** Archive and delete several sessions; both can be undone. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { asApiError } from "@/api/problem";
import { sessionKey, sessionsKey } from "@/api/queries";
import { type ChangeSessions, changeSessions } from "@/api/sessions";
import type { SessionCard } from "@/api/types";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";

export function useChangeMany(sessions: readonly SessionCard[], onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session: open } = useParams({ strict: false });
  const ids = sessions.map(({ id }) => id);
  const many = counted(ids.length, "session");

  const attempt = async (change: Omit<ChangeSessions, "ids">) => {
    try {
      await changeSessions({ ids, ...change });
      return true;
    } catch (error) {
      showToast(asApiError(error).message, { tone: "bad" });
      return false;
    } finally {
      client.invalidateQueries({ queryKey: sessionsKey });
    }
  };

  const change = async (
    there: Omit<ChangeSessions, "ids">,
    back: Omit<ChangeSessions, "ids">,
    said: string,
  ) => {
    if (!(await attempt(there))) return;
    onDone();
    showToast(said, { action: { label: LAZY_STRINGS.undo, run: () => attempt(back) } });
  };

  return {
    archive: (archived: boolean) =>
      change(
        { archived },
        { archived: !archived },
        archived ? LAZY_STRINGS.manyArchived(many) : LAZY_STRINGS.manyUnarchived(many),
      ),
    remove: async () => {
      if (open !== undefined && ids.includes(open)) navigate({ to: "/", search: {} });
      await change({ deleted: true }, { deleted: false }, LAZY_STRINGS.manyDeleted(many));
      for (const id of ids) client.removeQueries({ queryKey: sessionKey(id) });
    },
  };
}
