/** What loads when a match is first shown. */
import { GeneralDock } from "@/features/general/general-dock";
import { GeneralMatch } from "@/features/general/general-match";

export const PARTS = { Dock: GeneralDock, Match: GeneralMatch };
