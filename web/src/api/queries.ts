/** Server state: keys and options of every query. */
import { infiniteQueryOptions, QueryClient, queryOptions, skipToken } from "@tanstack/react-query";
import { ApiError } from "@/api/problem";
import {
  getAbout,
  getModelList,
  getModes,
  getSession,
  listSessions,
  type SessionFilter,
} from "@/api/requests";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // The server may be on this very computer: it answers also where there is no network.
        networkMode: "always",
        // What the server refused once it refuses again; a broken connection is worth more tries.
        retry: (count, error) => (error instanceof ApiError && !error.unreachable ? false : count < 2),
        retryDelay: (attempt) => Math.min(4000, 400 * 2 ** attempt),
      },
      mutations: { networkMode: "always" },
    },
  });
}

export const aboutQuery = queryOptions({ queryKey: ["about"], queryFn: getAbout, staleTime: 60_000 });
export const modesQuery = queryOptions({ queryKey: ["modes"], queryFn: getModes, staleTime: 300_000 });
export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: async (context) => (await getModelList(context)).models,
  staleTime: 60_000,
});

/** The longest search of sessions that the server takes. */
export const SEARCH_CHARS = 200;

export const sessionsKey = ["sessions"] as const;

export const sessionsQuery = (filter: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: [...sessionsKey, filter],
    queryFn: ({ pageParam, signal }) => listSessions(filter, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** The ids of the people of a workspace who have a session open; its events tell it. */
export const presentQuery = (id: string) =>
  queryOptions<readonly string[]>({ queryKey: ["present", id], queryFn: skipToken, gcTime: 0 });

export const sessionKey = (id: string) => ["session", id] as const;

export const sessionQuery = (id: string) =>
  queryOptions({ queryKey: sessionKey(id), queryFn: ({ signal }) => getSession(id, { signal }) });
