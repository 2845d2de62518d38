/** Rename, pin, archive and delete a session; the list changes at once and the last two can be undone. */

import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { asApiError } from "@/api/problem";
import { sessionKey, sessionsKey } from "@/api/queries";
import { deleteSession, patchSession, restoreSession } from "@/api/requests";
import type { SessionCard, SessionPage, SessionView } from "@/api/types";
import { showToast } from "@/lib/toast-store";

type Lists = InfiniteData<SessionPage>;

export function useSessionActions(session: SessionCard) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session: open } = useParams({ strict: false });
  const refresh = () => client.invalidateQueries({ queryKey: sessionsKey });

  const changeLists = (change: (card: SessionCard) => SessionCard | null) => {
    // What is on its way was read before this change, and would undo it for a moment.
    client.cancelQueries({ queryKey: sessionsKey });
    client.setQueriesData<Lists>(
      // The tags, which are no list, are below the same key.
      { queryKey: sessionsKey, predicate: ({ queryKey }) => typeof queryKey[1] === "object" },
      (lists) => lists && editLists(lists, session.id, change),
    );
  };

  const attempt = async (action: () => Promise<unknown>) => {
    try {
      await action();
      return true;
    } catch (error) {
      showToast(asApiError(error).message, { tone: "bad" });
      return false;
    } finally {
      refresh();
    }
  };

  const rename = (title: string) => {
    changeLists((card) => ({ ...card, title }));
    client.setQueryData<SessionView>(
      sessionKey(session.id),
      (view) => view && { ...view, session: { ...view.session, title } },
    );
    return attempt(() => patchSession(session.id, { title }));
  };

  const pin = () => {
    changeLists(() => null);
    return attempt(() => patchSession(session.id, { pinned: !session.pinned }));
  };

  const archive = async () => {
    changeLists(() => null);
    const archived = !session.archived;
    if (!(await attempt(() => patchSession(session.id, { archived })))) return;
    showToast(archived ? `“${short(session.title)}” archived` : `“${short(session.title)}” unarchived`, {
      action: {
        label: "Undo",
        run: () => attempt(() => patchSession(session.id, { archived: !archived })),
      },
    });
  };

  const remove = async () => {
    changeLists(() => null);
    if (!(await attempt(() => deleteSession(session.id)))) return;
    const left = open === session.id;
    if (left) navigate({ to: "/", search: {} });
    client.removeQueries({ queryKey: sessionKey(session.id) });
    showToast(`“${short(session.title)}” deleted`, {
      action: { label: "Undo", run: () => restore(left) },
    });
  };

  /** Bring a deleted session back, and whoever had it open, unless they have gone elsewhere since. */
  const restore = async (left: boolean) => {
    if (!(await attempt(() => restoreSession(session.id)))) return;
    client.invalidateQueries({ queryKey: sessionKey(session.id) });
    if (left && location.pathname === "/")
      navigate({ to: "/s/$session", params: { session: session.id }, search: {} });
  };

  return { rename, pin, archive, remove };
}

const short = (title: string) => (title.length > 40 ? `${title.slice(0, 39)}…` : title);

function editLists(lists: Lists, id: string, change: (card: SessionCard) => SessionCard | null): Lists {
  const edit = (card: SessionCard) => (card.id === id ? (change(card) ?? []) : card);
  return { ...lists, pages: lists.pages.map((page) => ({ ...page, sessions: page.sessions.flatMap(edit) })) };
}
