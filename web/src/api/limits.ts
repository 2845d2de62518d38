/** Limits on what the installation, people, workspaces and API keys may use. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type Limit = Schemas["LimitView"];
export type NewLimit = Schemas["NewLimit"];

export const limitsKey = ["limits"] as const;

export const limitsQuery = queryOptions({
  queryKey: [...limitsKey, "all"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/limits", { signal }))).limits,
  refetchInterval: 10_000,
});

/** The limits that one's own calls fall under. */
export const myLimitsQuery = queryOptions({
  queryKey: [...limitsKey, "mine"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/me/limits", { signal }))).limits,
  staleTime: 30_000,
});

export const limitSubjectsQuery = queryOptions({
  queryKey: [...limitsKey, "subjects"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/limits/subjects", { signal }))).subjects,
});

export const ratesQuery = queryOptions({
  queryKey: [...limitsKey, "rates"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/limits/rates", { signal })),
});

export type RateRule = Schemas["RateRule"];
export type Who = keyof Schemas["RatesView"];

export const setRate = (who: Who, body: Schemas["SetRate"]) =>
  answerOf(api.PUT("/api/limits/rates/{who}", { params: { path: { who } }, body }));

const at = (limit_id: string) => ({ params: { path: { limit_id } } });

export const addLimit = (body: NewLimit) => answerOf(api.POST("/api/limits", { body }));
export const changeLimit = (id: string, body: Schemas["ChangeLimit"]) =>
  answerOf(api.PATCH("/api/limits/{limit_id}", { ...at(id), body }));
export const raiseLimit = (id: string, body: Schemas["RaiseLimit"]) =>
  answerOf(api.PUT("/api/limits/{limit_id}/raise", { ...at(id), body }));
export const endRaise = (id: string) => answerOf(api.DELETE("/api/limits/{limit_id}/raise", at(id)));
export const forgiveUnconfirmed = (id: string) =>
  answerOf(api.DELETE("/api/limits/{limit_id}/unconfirmed", at(id)));
export const removeLimit = (id: string) => answerOf(api.DELETE("/api/limits/{limit_id}", at(id)));
