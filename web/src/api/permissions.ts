/** The rights of whoever uses this page, for it to show only what the server will do. */
import { useQuery } from "@tanstack/react-query";
import { meQuery, workspacesQuery } from "@/api/me";
import { aboutQuery } from "@/api/queries";
import { currentSpace } from "@/lib/space";

/** Whether they may change what everyone shares: models, imports, voters. Null until it is known. */
export function useRightToManage(): boolean | null {
  const { data: about } = useQuery(aboutQuery);
  const { data: me } = useQuery({ ...meQuery, enabled: about?.mode === "shared" });
  if (about?.mode === "personal") return true;
  return about && me ? me.may_manage : null;
}

/** Whether it is known that they may. */
export const useMayManage = (): boolean => useRightToManage() ?? false;

/** Whether they may ask, vote and change sessions: everybody may, except viewers in a workspace. */
export function useMayWrite(): boolean {
  const here = currentSpace();
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: here !== null });
  return workspaces?.find(({ id }) => id === here)?.role !== "viewer";
}

/** Why a viewer's composer takes nothing. */
export const READ_ONLY = "You can read in this workspace, but not ask or vote. Its owners can change that.";
