/** Providers and models that are kept in the database, and what can be added to them. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import type { ApiError } from "@/api/problem";

type Schemas = components["schemas"];

export type Provider = Schemas["ProviderView"];
export type KnownProvider = Schemas["KnownProvider"];
export type Discoveries = Schemas["Discoveries"];
export type FoundServer = Schemas["FoundServer"];
export type FoundKey = Schemas["FoundKey"];
export type Offer = Schemas["OfferedBy"];
export type OfferedModel = Schemas["OfferedHere"];
export type ProviderCheck = Schemas["ProviderCheck"];
export type NewProvider = Schemas["NewProvider"];
export type AddedModel = Schemas["AddedModel"];

const listKey = ["provider-list"] as const;

export const providerListQuery = queryOptions({
  queryKey: listKey,
  queryFn: ({ signal }) => answerOf(api.GET("/api/providers", { signal })),
  refetchInterval: 5_000,
});

export const discoveriesQuery = queryOptions({
  queryKey: ["discoveries"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/discoveries", { signal })),
  staleTime: 5_000,
});

/** Look for model servers again; the server's answer to the query is up to a minute old. */
export const lookAgain = () => answerOf(api.POST("/api/discoveries"));

/** Read anew everything that depends on the catalog. */
export const refreshCatalog = (client: QueryClient) =>
  Promise.all(
    [listKey, ["discoveries"], ["models"], ["about"], ["presets"]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );

export const addProvider = (body: NewProvider) => answerOf(api.POST("/api/providers", { body }));

export const changeProvider = (id: string, body: Schemas["ChangeProvider"]) =>
  answerOf(api.PATCH("/api/providers/{provider_id}", { params: { path: { provider_id: id } }, body }));

export const removeProvider = (id: string, force: boolean) =>
  answerOf(
    api.DELETE("/api/providers/{provider_id}", {
      params: { path: { provider_id: id }, query: { force } },
    }),
  );

export const testProvider = (body: Schemas["TestProvider"]) =>
  answerOf(api.POST("/api/providers/test", { body }));

export const checkProviders = () => answerOf(api.POST("/api/providers/checks"));

export const addModels = (provider: string, models: AddedModel[]) =>
  answerOf(api.POST("/api/models", { body: { models: models.map((model) => ({ ...model, provider })) } }));

export const changeModel = (id: string, body: Schemas["ChangeModel"]) =>
  answerOf(api.PATCH("/api/models/{model_id}", { params: { path: { model_id: id } }, body }));

export const removeModel = (id: string, force: boolean) =>
  answerOf(api.DELETE("/api/models/{model_id}", { params: { path: { model_id: id }, query: { force } } }));

export type Dependent = Schemas["Dependent"];

/** The presets that need what was to be removed, where a removal was refused for them. */
export const dependentsIn = (error: ApiError | null): Dependent[] =>
  error?.code === "model_in_use" ? (error.result as Dependent[]) : [];

/** A model as it is added: with what its provider says of it. What its name tells, the server knows by itself. */
export function asAdded(model: OfferedModel | FoundServer["models"][number], battle: boolean): AddedModel {
  const { capabilities, context_window, prices, known_from } = model;
  const said = (fact: Fact) => known_from[fact] === "server" || known_from[fact] === "published";
  return {
    model: model.model,
    battle,
    capabilities: [...capabilities],
    ...(said("name") && { name: model.name }),
    ...(said("organization") && { organization: model.organization }),
    ...(said("context_window") && { context_window }),
    ...(said("prices") && { prices }),
    sources: Object.fromEntries(Object.entries(known_from).filter(([fact]) => said(fact as Fact))) as Sources,
  };
}

type Fact = "name" | "organization" | "family" | "license" | "capabilities" | "context_window" | "prices";
type Sources = NonNullable<AddedModel["sources"]>;
