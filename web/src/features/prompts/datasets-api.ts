/** Data sets: the calls that read them, and what the page keeps of them. */

import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";

export const datasetsQuery = queryOptions({
  queryKey: ["lab", "datasets"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/lab/datasets", { signal }))).datasets,
});

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ["lab", "dataset", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/lab/datasets/{dataset_id}", { params: { path: { dataset_id: id } }, signal })),
  });

/** Says which checks a row is for, and is no variable. */
const MARK = "for_check_";

/** The names of a data set's values, by its first row. */
export const columnsQuery = (id: string) =>
  queryOptions({
    queryKey: ["lab", "dataset", id, "columns"],
    queryFn: async ({ signal }) => {
      const params = { path: { dataset_id: id }, query: { limit: 1 } };
      const { columns } = await answerOf(api.GET("/api/lab/datasets/{dataset_id}", { params, signal }));
      return columns.filter((name) => !name.startsWith(MARK));
    },
  });
