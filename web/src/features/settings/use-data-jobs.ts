/** The long jobs of the settings: they go on while the person is elsewhere, and the tray shows them. */

import { useQueryClient } from "@tanstack/react-query";
import { type DataSummary, openExport, rebuildStandings } from "@/api/data";
import { asApiError } from "@/api/problem";
import { standingsKey } from "@/api/standings";
import { counted, formatCount } from "@/lib/format";
import { endJob, putJob } from "@/lib/job-store";
import { saveFile } from "@/lib/save-file";
import { showToast } from "@/lib/toast-store";

const NEWLINE = 10;

export function useDataJobs({ sessions, presets }: DataSummary) {
  const client = useQueryClient();
  return {
    save: () => exportAll(sessions + presets),
    rebuild: async () => {
      const id = "rebuild";
      putJob({
        id,
        title: "Rebuilding the leaderboard",
        detail: "Recounting votes…",
        done: null,
        cancel: null,
      });
      try {
        const { votes, corrected } = await rebuildStandings();

        const total = counted(votes, "vote");
        showToast(
          corrected === 0
            ? `Recounted ${total}. Nothing to correct.`
            : `Recounted ${total}. Corrected ${formatCount(corrected)}.`,
        );
      } catch (error) {
        showToast(asApiError(error).message, { tone: "bad" });
      } finally {
        endJob(id);
        client.invalidateQueries({ queryKey: standingsKey });
      }
    },
  };
}

async function exportAll(total: number): Promise<void> {
  const id = "export";
  const controller = new AbortController();
  const { signal } = controller;
  const show = (lines: number) =>
    putJob({
      id,
      title: "Exporting sessions",
      detail: `${formatCount(lines)} of ${formatCount(total)}`,
      done: total === 0 ? null : Math.min(1, lines / total),
      cancel: () => controller.abort(),
    });
  show(0);
  try {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let lines = 0;
    const reader = (await openExport(signal)).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(new Uint8Array(part.value));
      for (const byte of part.value) if (byte === NEWLINE) lines += 1;
      show(lines);
    }
    saveFile("parley-sessions.jsonl", new Blob(parts, { type: "application/x-ndjson" }));
    showToast(`Exported ${formatCount(lines)} sessions and saved line-ups.`);
  } catch (error) {
    if (!signal.aborted) showToast(asApiError(error).message, { tone: "bad" });
    else showToast("Export cancelled.");
  } finally {
    endJob(id);
  }
}
