/** The audit log, in the settings of administrators. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "audit",
  settings: () =>
    import("@/features/audit/audit-rows").then(({ AuditRows }) => [
      {
        id: "audit",
        title: "Audit log",
        about:
          "Changes by administrators, sign-ins, keys, links and exports, in the same hash chain as the votes.",
        order: 60,
        Rows: AuditRows,
      },
    ]),
};
