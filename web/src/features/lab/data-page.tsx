/** A data set by itself. */

import { useQuery } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { RowsTable } from "@/features/lab/rows-table";
import { datasetQuery } from "@/features/prompts/datasets-api";
import { Skeleton } from "@/ui/skeleton";

export function DataPage({ id }: { id: string }) {
  const { data, isError, error } = useQuery(datasetQuery(id));
  if (isError)
    return (
      <EmptyPage title={asApiError(error).message} text={asApiError(error).detail ?? "Choose another one."}>
        {null}
      </EmptyPage>
    );
  return (
    <>
      <PageHeader>
        <h1 className="min-w-0 truncate text-base font-semibold">{data?.dataset.name}</h1>
        {data && <span className="num text-xs text-ink-3">v{data.dataset.number}</span>}
        <span className="flex-1" />
      </PageHeader>
      <div className="flex min-h-0 flex-1 max-lg:pb-14">
        {data ? <RowsTable detail={data} /> : <Skeleton className="m-5 h-64 flex-1 rounded-lg" />}
      </div>
    </>
  );
}
