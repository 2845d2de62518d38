/** The library: filters, a grid by days, and a panel with where a thing was made. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Upload } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";
import { libraryKey, libraryQuery, uploadAsset } from "@/api/library";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { PageHeader } from "@/components/page-header";
import { AssetGrid } from "@/features/library/asset-grid";
import { AssetPanel } from "@/features/library/asset-panel";
import { byDay } from "@/features/library/by-day";
import { LibraryFilters } from "@/features/library/library-filters";
import { filterOf, type LibrarySearch } from "@/features/library/library-search";
import { MoreAssets } from "@/features/library/more-assets";
import { PageProblem } from "@/features/standings/page-problem";
import { counted, formatBytes } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

const NONE: LibrarySearch = {};

export function LibraryPage() {
  const search = useSearch({ from: "/library" });
  const query = useInfiniteQuery(libraryQuery(filterOf(search, new Date())));
  const navigate = useNavigate();
  useTitle("Library");
  const change = useCallback(
    (next: LibrarySearch) =>
      navigate({
        to: "/library",
        search: (before: LibrarySearch) => ({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const open = useCallback((id: string | undefined) => change({ open: id }), [change]);
  const assets = useMemo(() => query.data?.pages.flatMap((page) => page.assets) ?? [], [query.data]);
  const days = useMemo(() => byDay(query.data?.pages ?? []), [query.data]);
  const area = useRef<HTMLDivElement>(null);
  const { fetchNextPage } = query;
  const more = useCallback(() => fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const { data: models } = useQuery(modelsQuery);
  const names = useMemo(() => new Map(models?.map(({ id, name }) => [id, name])), [models]);
  const first = query.data?.pages[0];
  if (query.isError && assets.length === 0) return <PageProblem error={query.error} />;
  const filtered = Object.entries(search).some(([name, value]) => name !== "open" && value !== undefined);
  const place = assets.findIndex(({ id }) => id === search.open);
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold whitespace-nowrap">Library</h1>
        {first && first.total !== 0 && (
          <span className="num truncate text-sm text-ink-3">
            {counted(first.total ?? 0, "asset")}
            <span className="max-sm:hidden">, {formatBytes(first.size ?? 0)}</span>
          </span>
        )}
        <span className="flex-1" />
        <UploadButton />
      </PageHeader>
      <div className="flex min-h-0 flex-1">
        <div ref={area} className="min-w-0 flex-1 overflow-y-auto px-4 py-3 sm:px-5 sm:py-4" data-scroll-area>
          <LibraryFilters search={search} page={first} onChange={change} />
          {query.isPending && <Skeleton className="mt-4 h-80 w-full rounded-lg" />}
          {query.isSuccess && assets.length === 0 && (
            <Nothing filtered={filtered} onClear={() => navigate({ to: "/library", search: NONE })} />
          )}
          {days.map(([group, list]) => (
            <div key={group} role="group" aria-label={group} className="mt-4">
              <h2 className="pb-2 text-xs font-medium text-ink-3">{group}</h2>
              <AssetGrid area={area} assets={list} names={names} chosen={search.open} onOpen={open} />
            </div>
          ))}
          {query.hasNextPage && (
            <MoreAssets
              count={assets.length}
              loading={query.isFetchingNextPage}
              failed={query.isFetchNextPageError}
              onMore={more}
            />
          )}
        </div>
        {search.open && (
          <AssetPanel
            key={search.open}
            id={search.open}
            before={assets[place - 1]?.id}
            after={place < 0 ? undefined : assets[place + 1]?.id}
            onOpen={open}
          />
        )}
      </div>
    </>
  );
}

function UploadButton() {
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const upload = async (files: readonly File[]) => {
    for (const file of files) {
      try {
        await uploadAsset(file);
        showToast(`${file.name} uploaded.`);
      } catch (error) {
        showToast(asApiError(error).message, { tone: "bad" });
      }
    }
    await client.invalidateQueries({ queryKey: libraryKey });
  };
  if (!mayWrite) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          upload([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Upload
      </Button>
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const navigate = useNavigate();
  return (
    <div className="mt-4 flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-4 py-14 text-center">
      <h2 className="text-lg font-semibold">{filtered ? "No results" : "Nothing here yet"}</h2>
      <p className="max-w-md text-ink-2">
        {filtered
          ? "Nothing in your library matches these filters."
          : "Pictures that models draw, code with a file name, and replies that you keep appear here."}
      </p>
      {filtered ? (
        <Button onClick={onClear}>Clear filters</Button>
      ) : (
        <Button variant="primary" onClick={() => navigate({ to: "/", search: { mode: "compare" } })}>
          Compare models
        </Button>
      )}
    </div>
  );
}
