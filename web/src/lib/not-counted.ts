/** Why votes are kept but not counted, in plain words. */

import { REASONS, STRINGS } from "@/lib/strings";

const plain = (reason: string) => reason.replaceAll("_", " ");

/** A reason that this page does not know is shown as it comes. */
export const fewNotCounted = (reason: string): string => REASONS[reason]?.few ?? plain(reason);

export const whyNotCounted = (reason: string | null | undefined): string =>
  reason ? STRINGS.notCountedBecause(REASONS[reason]?.why ?? `${plain(reason)}.`) : STRINGS.notCounted;
