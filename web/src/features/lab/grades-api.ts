/** Grades of answers, the checks that follow from them, and answers that are kept: the calls of the server. */

import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type ProposedCheck = Schemas["ProposedCheck"];

export const gradeAnswer = (run: string, body: Schemas["GradeTrial"]) =>
  answerOf(api.POST("/api/lab/runs/{run_id}/grade", { params: { path: { run_id: run } }, body }));

/** Keep an answer in the library. */
export const keepAnswer = (run: string, body: Schemas["AnswerPlace"]) =>
  answerOf(api.POST("/api/lab/runs/{run_id}/keep", { params: { path: { run_id: run } }, body }));

export const proposalsQuery = (run: string) =>
  queryOptions({
    queryKey: ["lab", "proposals", run],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/lab/runs/{run_id}/proposals", { params: { path: { run_id: run } }, signal })),
  });
