/** Retention, in the settings of those who manage. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "retention",
  settings: () =>
    import("@/features/retention/retention-rows").then(({ RetentionRows }) => [
      {
        id: "retention",
        title: "Retention",
        about: "How long things are stored, for everybody here.",
        order: 58,
        Rows: RetentionRows,
      },
    ]),
};
