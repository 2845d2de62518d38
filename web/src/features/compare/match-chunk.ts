/** What loads when a match is first shown. */
import { CompareDock } from "@/features/compare/compare-dock";
import { CompareMatch } from "@/features/compare/compare-match";

export const PARTS = { Dock: CompareDock, Match: CompareMatch };
