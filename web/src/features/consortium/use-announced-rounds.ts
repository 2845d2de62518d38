/** Tells screen readers what a round came to and the final synthesis, never single words. */

import { useEffect, useRef } from "react";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { formatConfidence, formatShare } from "@/features/consortium/words";
import { announce } from "@/lib/toast-store";

const MOST = 600;

export function useAnnouncedRounds(view: ConsortiumView, last: boolean): void {
  const judged = view.iterations.filter(({ judgement }) => judgement.verdict).length;
  const before = useRef({ judged, running: view.running });
  useEffect(() => {
    const was = before.current;
    before.current = { judged, running: view.running };
    if (!last) return;
    const latest = view.iterations.findLast(({ judgement }) => judgement.verdict);
    const verdict = latest?.judgement.verdict;
    if (was.running && !view.running) {
      announce(
        view.result && verdict
          ? STRINGS.announceFinished(formatConfidence(verdict.confidence), short(verdict.synthesis))
          : STRINGS.announceNoConclusion,
      );
    } else if (view.running && judged > was.judged && latest && verdict) {
      const consensus = latest.agreement?.consensus;
      announce(
        consensus == null
          ? STRINGS.announceRound(latest.number, formatConfidence(verdict.confidence))
          : STRINGS.announceConsensus(
              latest.number,
              formatShare(consensus),
              formatConfidence(verdict.confidence),
            ),
      );
    }
  }, [view, judged, last]);
}

const short = (text: string) => (text.length > MOST ? `${text.slice(0, MOST)}…` : text);
