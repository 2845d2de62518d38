/** A grid of things of which only the rows in view, and some beside them, are drawn. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { AssetCard } from "@/api/library";
import { AssetTile } from "@/features/library/asset-tile";
import { useWidth } from "@/lib/use-width";
import { BESIDE, useWindow } from "@/lib/use-window";

/** The least width of a tile, also as a share of the window's, and the gaps between tiles, in pixels. */
const [TILE_PX, TILE_SHARE, BETWEEN_PX, BELOW_PX] = [168, 0.44, 14, 16];
/** The height of the words under a picture, until a row is drawn and measured. */
const WORDS_PX = 46;

interface AssetGridProps {
  /** What scrolls. */
  area: RefObject<HTMLElement | null>;
  assets: readonly AssetCard[];
  /** Names of models by their ids. */
  names: ReadonlyMap<string, string>;
  chosen: string | undefined;
  onOpen: (id: string) => void;
}

export function AssetGrid({ area, assets, names, chosen, onOpen }: AssetGridProps) {
  const [box, width] = useWidth();
  const least = Math.min(TILE_PX, window.innerWidth * TILE_SHARE);
  const columns = Math.max(1, Math.floor((width + BETWEEN_PX) / (least + BETWEEN_PX)));
  const rows = Math.ceil(assets.length / columns);
  const tile = (width - (columns - 1) * BETWEEN_PX) / columns;
  const [words, setWords] = useState(WORDS_PX);
  const height = tile * 0.75 + words + BELOW_PX;
  const above = useCallback(() => topIn(area.current, box.current), [area, box]);
  const { first, last } = useWindow(area, rows, height, above);
  useSamePlace(area, above, columns, height, first);
  useLayoutEffect(() => {
    const drawn = box.current?.querySelector("li")?.getBoundingClientRect().height;
    if (drawn) setWords(drawn - tile * 0.75);
  }, [box, tile]);
  return (
    <div ref={box} style={{ paddingTop: first * height, paddingBottom: (rows - last) * height }}>
      <ul
        className="grid list-none p-0"
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          columnGap: BETWEEN_PX,
          rowGap: BELOW_PX,
        }}
      >
        {width > 0 &&
          assets
            .slice(first * columns, last * columns)
            .map((asset, at) => (
              <AssetTile
                key={asset.id}
                asset={asset}
                maker={asset.model_id ? (names.get(asset.model_id) ?? asset.model_id) : undefined}
                chosen={asset.id === chosen}
                place={first * columns + at + 1}
                of={assets.length}
                onOpen={onOpen}
              />
            ))}
      </ul>
    </div>
  );
}

/** Keep the same things in view where the panel beside them opens or closes, and with it the columns change. */
function useSamePlace(
  area: RefObject<HTMLElement | null>,
  above: () => number,
  columns: number,
  height: number,
  first: number,
) {
  const before = useRef({ columns, first });
  useLayoutEffect(() => {
    const { columns: then, first: from } = before.current;
    if (then !== columns && from > 0 && area.current) {
      area.current.scrollTop = above() + Math.floor(((from + BESIDE) * then) / columns) * height;
    }
    before.current = { columns, first };
  }, [area, above, columns, height, first]);
}

/** How far below the beginning of what scrolls a part of it stands. */
function topIn(area: HTMLElement | null, part: HTMLElement | null): number {
  if (!area || !part) return 0;
  return part.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
}
