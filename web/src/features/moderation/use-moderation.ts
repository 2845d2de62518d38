import { useQuery } from "@tanstack/react-query";
import { rulesQuery } from "@/api/moderation";
import { useMayManage } from "@/api/permissions";

/** The rules, for those who manage, where moderation is switched on; otherwise null. Undefined while they load. */
export function useModeration() {
  const mayManage = useMayManage();
  const { data } = useQuery({ ...rulesQuery, enabled: mayManage });
  return mayManage && (!data || data.on) ? data : null;
}
