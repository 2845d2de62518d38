/** How an import of votes stands, as its events tell it. Pure. */
import type { ImportEvent, ImportReport } from "@/api/votes";

export type ImportState =
  | { step: "choosing" }
  | { step: "sending"; file: File; begunAt: number }
  | { step: "running"; file: File; begunAt: number; progress: Progress }
  | { step: "preview"; file: File; report: ImportReport }
  | { step: "done"; file: File; report: ImportReport }
  | { step: "failed"; file: File; title: string; detail: string | null; report: ImportReport | null };

export type Progress = Extract<ImportEvent, { kind: "import.progress" }>;

/** The next state after an event; events that this page does not know change nothing. */
export function afterEvent(state: ImportState, event: ImportEvent): ImportState {
  if (state.step !== "sending" && state.step !== "running") return state;
  const { file, begunAt } = state;
  switch (event.kind) {
    case "import.progress":
      return { step: "running", file, begunAt, progress: event };
    case "import.done":
      return { step: event.report.preview ? "preview" : "done", file, report: event.report };
    case "import.failed":
      return {
        step: "failed",
        file,
        title: event.error.title,
        detail: event.error.detail ?? null,
        report: event.report,
      };
    default:
      return state;
  }
}

/** Closing the request takes all back until the end. */
export const mayCancel = (state: ImportState): boolean =>
  state.step === "sending" || state.step === "running";

/** Milliseconds that are left, if it goes on like this; null while that is a guess. */
export function remainingMs(elapsedMs: number, done: number): number | null {
  if (done < 0.05 || elapsedMs < 700) return null;
  return (elapsedMs / done) * (1 - done);
}
