/** The library's things by days. Pure. */
import type { AssetCard } from "@/api/library";
import { dayGroup } from "@/lib/time";

/** Groups in the order of the pages, which are in the order of time: most have one group from end to end. */
export function byDay(pages: readonly { assets: readonly AssetCard[] }[]): [string, AssetCard[]][] {
  const groups = new Map<string, AssetCard[]>();
  const add = (group: string, assets: readonly AssetCard[]) => {
    const list = groups.get(group);
    if (list) list.push(...assets);
    else groups.set(group, [...assets]);
  };
  for (const { assets } of pages) {
    const [first, last] = [assets[0], assets.at(-1)];
    if (!first || !last) continue;
    const group = dayGroup(first.created_at);
    if (dayGroup(last.created_at) === group) add(group, assets);
    else for (const asset of assets) add(dayGroup(asset.created_at), [asset]);
  }
  return [...groups];
}
