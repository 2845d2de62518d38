import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** Ask again for everything that could not be had, wherever on the page it stands. */
export function useRetryFailed(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    client.refetchQueries({ predicate: (query) => query.state.status === "error" });
  }, [client]);
}
