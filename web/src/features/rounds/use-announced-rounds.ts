/** Tells screen readers what a round came to and how a turn ended, never single words. */

import { useEffect, useRef } from "react";
import { announce } from "@/lib/toast-store";

const MOST = 600;

export interface AnnouncedRounds {
  running: boolean;
  /** How many rounds have ended. */
  ended: number;
  /** What the latest of them came to; empty where the ending says it. */
  round: string;
  /** How it all ended. */
  ending: string;
}

export function useAnnouncedRounds({ running, ended, round, ending }: AnnouncedRounds, last: boolean): void {
  const before = useRef({ ended, running });
  useEffect(() => {
    const was = before.current;
    before.current = { ended, running };
    if (!last) return;
    const text = [ended > was.ended && round, was.running && !running && ending].filter(Boolean).join(" ");
    if (text) announce(text);
  }, [running, ended, round, ending, last]);
}

/** As much of a text as is read out. */
export const shortened = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}…` : text);
