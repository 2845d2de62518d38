/** Plug-ins: the calls of the server, and what the page takes from them. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type PlugIn = Schemas["PlugInView"];
export type PlugInList = Schemas["PlugInList"];
export type InstalledPlugIn = Schemas["InstalledPlugIn"];
export type PlugInKind = NonNullable<PlugIn["kind"]>;

export const plugInsKey = ["plug-ins"] as const;

export const plugInsQuery = queryOptions({
  queryKey: plugInsKey,
  queryFn: ({ signal }) => answerOf(api.GET("/api/plug-ins", { signal })),
  staleTime: 15_000,
});

const at = (plug_in_id: string) => ({ params: { path: { plug_in_id } } });

export const addPlugIn = (body: Schemas["AddPlugIn"]) => answerOf(api.POST("/api/plug-ins", { body }));
export const changePlugIn = (id: string, body: Schemas["ChangePlugIn"]) =>
  answerOf(api.PATCH("/api/plug-ins/{plug_in_id}", { ...at(id), body }));
export const deletePlugIn = (id: string) => answerOf(api.DELETE("/api/plug-ins/{plug_in_id}", at(id)));
export const restorePlugIn = (id: string) => answerOf(api.POST("/api/plug-ins/{plug_in_id}/restore", at(id)));

/** Those of a kind that are on and work, with their content. */
export const working = <Content>(list: PlugInList | undefined, kind: PlugInKind) =>
  (list?.plug_ins ?? [])
    .filter((each) => each.kind === kind && each.enabled && !each.problem && each.content)
    .map((each) => ({ ...each, content: each.content as Content }));
