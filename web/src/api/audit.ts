/** The audit log: what people did, and the check of its chain. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

export type AuditEntry = components["schemas"]["AuditEntryView"];
export type AuditReport = components["schemas"]["AuditReport"];
export type AuditKind = AuditEntry["kind"];

export const auditQuery = (kind: AuditKind | undefined, person_id: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["audit", kind ?? "", person_id ?? ""],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET("/api/audit", {
          params: {
            query: {
              ...(kind && { kind }),
              ...(person_id && { person_id }),
              ...(pageParam && { before: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.before,
  });

export const verifyAudit = () => answerOf(api.GET("/api/audit/verification"));
