/** How ensembles came to their answers in a turn. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

export type InnerReply = components["schemas"]["InnerReplyView"];

export const innerRepliesQuery = (turn_id: string) =>
  queryOptions({
    queryKey: ["inner-replies", turn_id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/turns/{turn_id}/inner-replies", { params: { path: { turn_id } }, signal })),
  });
