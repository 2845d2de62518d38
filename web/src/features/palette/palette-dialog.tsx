/** The palette's dialog and its field: there at once, so that what is typed while the list still loads is kept. */

import { useEffect, useState } from "react";
import { SEARCH_CHARS } from "@/api/queries";
import { lazyPage } from "@/components/lazy-part";
import { DIALOG_STRINGS as STRINGS } from "@/features/palette/dialog-strings";
import type { PaletteProps } from "@/features/palette/palette";
import { SEARCH_FIELD, SearchRow } from "@/features/palette/search-row";
import { earlySearch, forgetEarlySearch } from "@/lib/early-search";
import { Dialog } from "@/ui/dialog";

const Palette = lazyPage(
  () => import("@/features/palette/palette").then((part) => part.Palette),
  ({ search, onSearch }: PaletteProps) => (
    <SearchRow>
      <input
        aria-label={STRINGS.title}
        placeholder={STRINGS.searchPlaceholder}
        className={SEARCH_FIELD}
        value={search}
        maxLength={SEARCH_CHARS}
        onChange={({ target }) => onSearch(target.value)}
      />
    </SearchRow>
  ),
);

export function PaletteDialog(props: Omit<PaletteProps, "search" | "onSearch">) {
  const [search, setSearch] = useState(earlySearch);
  useEffect(forgetEarlySearch, []);
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={STRINGS.title}>
      <Palette {...props} search={search} onSearch={setSearch} />
    </Dialog>
  );
}
