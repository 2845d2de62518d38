/** The catalog: every configured model, with a search. */

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Column } from "@/components/column";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { fitsSearch } from "@/features/arena/model-filter";
import { ModelTable } from "@/features/models/model-table";
import { STRINGS } from "@/features/models/strings";
import { ProviderSection } from "@/features/providers/provider-section";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

export function ModelsPage() {
  const [search, setSearch] = useState("");
  const { data, isError, error } = useQuery({ ...modelsQuery, refetchInterval: 5_000 });
  const retry = useRetryFailed();
  useTitle(STRINGS.models);
  const shown = useMemo(
    () => data?.filter((model) => fitsSearch(model, search.trim())) ?? [],
    [data, search],
  );
  if (isError) {
    return (
      <EmptyPage title={asApiError(error).message} text={asApiError(error).detail ?? STRINGS.tryAgainLater}>
        <Button variant="primary" onClick={retry}>
          {STRINGS.tryAgain}
        </Button>
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">{STRINGS.models}</h1>
        {data && <p className="num text-ink-3 max-sm:hidden">{data.length}</p>}
        <span className="flex-1" />
        <Field
          type="search"
          aria-label={STRINGS.searchModels}
          placeholder={STRINGS.searchModelsPlaceholder}
          icon={<Search />}
          className="w-56 min-w-0 max-sm:w-full"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Column wide className="py-3 sm:py-5">
          {!data && <Skeleton className="h-72 w-full rounded-lg" />}
          {data && shown.length === 0 && (
            <p className="py-10 text-center text-ink-2">
              {search ? STRINGS.noResults(search) : STRINGS.noModels}
            </p>
          )}
          {shown.length > 0 && <ModelTable models={shown} />}
          <ProviderSection />
        </Column>
      </div>
    </>
  );
}
