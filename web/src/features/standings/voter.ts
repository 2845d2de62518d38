/** How voters and their evidence are written: pseudonyms in short, evidence as odds. */

import { formatCount } from "@/lib/format";

const ID_SHOWN = 8;
const LARGEST_SHOWN = 1_000_000;

export const shortVoter = (id: string) => id.slice(0, ID_SHOWN);

/** How many times likelier something is, as a whole number. */
export const formatOdds = (value: number) =>
  value > LARGEST_SHOWN ? `More than ${formatCount(LARGEST_SHOWN)}` : formatCount(Math.round(value));
