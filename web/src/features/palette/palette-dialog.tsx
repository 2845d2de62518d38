/** The palette's dialog and its field: there at once, so that what is typed while the list still loads is kept. */

import { useEffect, useState } from "react";
import { SEARCH_CHARS } from "@/api/queries";
import { useAreas } from "@/components/join-areas";
import { lazyValue } from "@/components/lazy-part";
import { SEARCH_FIELD, SearchRow } from "@/features/palette/search-row";
import { earlySearch, forgetEarlySearch } from "@/lib/early-search";
import { Dialog } from "@/ui/dialog";

const usePalette = lazyValue(() => import("@/features/palette/palette").then((part) => part.Palette));

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState(earlySearch);
  useEffect(forgetEarlySearch, []);
  const Palette = usePalette();
  const commands = useAreas().useCommands();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Command palette">
      {Palette && commands ? (
        <Palette search={search} onSearch={setSearch} onClose={onClose} useCommands={commands} />
      ) : (
        <SearchRow>
          <input
            type="search"
            aria-label="Command palette"
            placeholder="Search pages and actions…"
            className={SEARCH_FIELD}
            value={search}
            maxLength={SEARCH_CHARS}
            onChange={({ target }) => setSearch(target.value)}
          />
        </SearchRow>
      )}
    </Dialog>
  );
}
