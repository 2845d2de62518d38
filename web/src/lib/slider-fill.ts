import type { CSSProperties } from "react";

/** How far a slider's track is filled, from 0 to 1. */
export const sliderFill = (share: number) =>
  ({ "--filled": `${(share * 100).toFixed(1)}%` }) as CSSProperties;
