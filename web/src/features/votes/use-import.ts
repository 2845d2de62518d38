import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { asApiError } from "@/api/problem";
import { readEvents } from "@/api/sse";
import { standingsKey } from "@/api/standings";
import { type ImportEvent, importVotes, votesKey } from "@/api/votes";
import { afterEvent, type ImportState } from "@/features/votes/import-state";

export interface Import {
  state: ImportState;
  start: (file: File, skipBad: boolean) => void;
  cancel: () => void;
  again: () => void;
}

/** One import at a time; what is not stored yet is taken back when it is cancelled or its dialog goes. */
export function useImport(): Import {
  const [state, setState] = useState<ImportState>({ step: "choosing" });
  const controller = useRef<AbortController>(null);
  const client = useQueryClient();
  useEffect(() => () => controller.current?.abort(), []);
  const again = useCallback(() => setState({ step: "choosing" }), []);
  const cancel = useCallback(() => {
    controller.current?.abort();
    setState({ step: "choosing" });
  }, []);
  const start = useCallback(
    async (file: File, skipBad: boolean) => {
      controller.current?.abort();
      const mine = new AbortController();
      controller.current = mine;
      setState({ step: "sending", file, begunAt: Date.now() });
      try {
        const body = await importVotes(file, skipBad, mine.signal);
        for await (const event of readEvents<ImportEvent>(body)) setState((now) => afterEvent(now, event));
        setState((now) => (now.step === "running" || now.step === "sending" ? cutOff(file) : now));
      } catch (error) {
        if (mine.signal.aborted) return;
        const problem = asApiError(error);
        setState({ step: "failed", file, title: problem.message, detail: problem.detail, report: null });
      }
      client.invalidateQueries({ queryKey: votesKey });
      client.invalidateQueries({ queryKey: standingsKey });
    },
    [client],
  );
  return { state, start, cancel, again };
}

const cutOff = (file: File): ImportState => ({
  step: "failed",
  file,
  title: "The connection ended before the import did.",
  detail:
    "If storing had begun, the server carries it out; importing the same file again changes nothing that is there.",
  report: null,
});
