/** The catalog: every configured model, with a search. */
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { useRetryFailed } from "@/api/use-retry-failed";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { ConnectModels } from "@/features/arena/connect-models";
import { fitsSearch } from "@/features/arena/model-filter";
import { ModelTable } from "@/features/models/model-table";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

export function ModelsPage() {
  const [search, setSearch] = useState("");
  const { data, isError, error } = useQuery(modelsQuery);
  const retry = useRetryFailed();
  useTitle("Models");
  const shown = useMemo(
    () => data?.filter((model) => fitsSearch(model, search.trim())) ?? [],
    [data, search],
  );
  if (isError) {
    return (
      <EmptyPage
        title={asApiError(error).message}
        text={asApiError(error).detail ?? "Try again in a moment."}
      >
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Models</h1>
        {data && <p className="num text-ink-3">{data.length}</p>}
        <span className="flex-1" />
        <Field
          type="search"
          aria-label="Search models"
          placeholder="Search models…"
          icon={<Search />}
          className="w-56 min-w-0 max-sm:w-full"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto p-3 sm:p-5">
        {!data && <Skeleton className="h-72 w-full rounded-lg" />}
        {data && shown.length === 0 && (
          <p className="py-10 text-center text-ink-2">
            {search ? `No model fits “${search}”.` : "No models are configured yet."}
          </p>
        )}
        {shown.length > 0 && <ModelTable models={shown} />}
        {data && (
          <section
            aria-labelledby="add-models"
            className="mt-4 max-w-3xl rounded-lg border border-line bg-surface p-4"
          >
            <h2 id="add-models" className="mb-1.5 font-semibold">
              Add your own models
            </h2>
            <ConnectModels />
          </section>
        )}
      </div>
    </>
  );
}
