/** Which models made a battle void. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";

export const failuresQuery = (turn_id: string) =>
  queryOptions({
    queryKey: ["failures", turn_id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/turns/{turn_id}/failures", { params: { path: { turn_id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
