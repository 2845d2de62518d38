/** The import that runs: it goes on when its dialog is closed, and the tray of jobs shows it. */

import type { QueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { asApiError } from "@/api/problem";
import { readEvents } from "@/api/sse";
import { standingsKey } from "@/api/standings";
import { type ImportEvent, importsQuery, importVotes, votesKey } from "@/api/votes";
import { afterEvent, type ImportState, mayCancel } from "@/features/votes/import-state";
import { counted, formatCount } from "@/lib/format";
import { endJob, putJob } from "@/lib/job-store";
import { showToast } from "@/lib/toast-store";

interface ImportStore {
  state: ImportState;
  /** Its dialog is open and says itself how it ends. */
  shown: boolean;
  setShown: (shown: boolean) => void;
  /** Show what is in a file, or import it. */
  start: (client: QueryClient, file: File, options: { preview: boolean; skipBad: boolean }) => Promise<void>;
  cancel: () => void;
  again: () => void;
}

const JOB = "import";
let controller: AbortController | null = null;

const isBusy = ({ step }: ImportState) => step === "sending" || step === "running";

/** One import at a time; what is not stored yet is taken back when it is canceled. */
export const useImport = create<ImportStore>()((set, get) => ({
  state: { step: "choosing" },
  shown: false,
  setShown: (shown) => {
    set({ shown });
    // How the last one ended was read.
    if (!shown && !isBusy(get().state)) set({ state: { step: "choosing" } });
  },
  again: () => set({ state: { step: "choosing" } }),
  cancel: () => {
    controller?.abort();
    set({ state: { step: "choosing" } });
  },
  start: async (client, file, options) => {
    controller?.abort();
    const mine = new AbortController();
    controller = mine;
    set({ state: { step: "sending", file, begunAt: Date.now() } });
    try {
      const body = await importVotes(file, options, mine.signal);
      for await (const event of readEvents<ImportEvent>(body))
        set(({ state }) => ({ state: afterEvent(state, event) }));
      set(({ state }) => ({ state: isBusy(state) ? cutOff(file) : state }));
    } catch (error) {
      if (mine.signal.aborted) return;
      const problem = asApiError(error);
      set({ state: { step: "failed", file, title: problem.message, detail: problem.detail, report: null } });
    }
    if (options.preview) return;
    client.invalidateQueries({ queryKey: importsQuery.queryKey });
    client.invalidateQueries({ queryKey: votesKey });
    client.invalidateQueries({ queryKey: standingsKey });
  },
}));

useImport.subscribe(({ state, shown, cancel }, before) => {
  if (state === before.state) return;
  if (state.step === "sending" || state.step === "running") {
    const { detail, done } = progressOf(state);
    putJob({
      id: JOB,
      title: `Importing ${state.file.name}`,
      detail,
      done,
      cancel: mayCancel(state) ? cancel : null,
    });
    return;
  }
  endJob(JOB);
  if (shown) return;
  if (state.step === "done") showToast(`${counted(state.report.imported, "vote")} imported`);
  if (state.step === "failed") showToast(state.title, { tone: "bad" });
});

function progressOf(state: Extract<ImportState, { step: "sending" | "running" }>) {
  if (state.step === "sending") return { detail: "Uploading file…", done: null };
  const { read, total, done } = state.progress;
  const of = total === null ? "" : ` of ${formatCount(total)}`;
  return { detail: `Reading ${formatCount(read) + of} rows`, done };
}

const cutOff = (file: File): ImportState => ({
  step: "failed",
  file,
  title: "Connection lost during the import.",
  detail:
    "Look at the list of imports: if the file is not there, nothing was imported. Then import it again.",
  report: null,
});
