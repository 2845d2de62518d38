/** Every feature folder with an `area.ts` is an area of the page. */
import type { Area } from "@/components/area";
import { joinAreas } from "@/components/join-areas";

const found = import.meta.glob<Area>("../features/*/area.ts", { eager: true, import: "area" });

export const AREAS: readonly Area[] = Object.values(found);
export const areas = joinAreas(AREAS);
