/** The only place that calls the API. */
import createClient from "openapi-fetch";
import type { paths } from "@/api/__generated__/schema";
import { KEPT, offline } from "@/api/offline";
import { type ApiError, problemIn, problemOf, unreachable } from "@/api/problem";
import { checkServer } from "@/lib/server";

/** Every call of the HTTP contract that answers with JSON, typed by the OpenAPI document. */
export const api = createClient<paths>({ credentials: "same-origin" });
api.use(offline);

/** No answer came: look whether the server is away, for the page to say so. */
function noAnswer(): ApiError {
  checkServer();
  return unreachable();
}

/** Wait for a call of `api`. Throws ApiError where the server refuses or cannot be reached. */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const result = await call.catch((error: unknown) => {
    throw error instanceof DOMException && error.name === "AbortError" ? error : noAnswer();
  });
  // A copy that this browser kept is for a server that is away: one that is not may know better by now.
  if (result.response.headers.has(KEPT) && (await checkServer())) throw unreachable();
  if (!result.response.ok) throw problemIn(result.response.status, result.error);
  return result.data as T;
}

interface Opening {
  method?: "GET" | "POST";
  body?: unknown;
  signal?: AbortSignal | undefined;
  key?: string;
}

/** Open a stream of server-sent events, by GET or by a POST that starts something. Throws ApiError. */
export async function openStream(
  path: string,
  { method = "GET", body, signal, key }: Opening = {},
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (method === "POST") headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  const response = await fetch(path, {
    method,
    headers,
    credentials: "same-origin",
    signal: signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : noAnswer();
  });
  if (!response.ok) throw await problemOf(response);
  if (!response.body) throw noAnswer();
  return response.body;
}

/** Send a file as it is, and open the stream of events that answers. Throws ApiError. */
export async function sendFile(
  path: string,
  file: File,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(path, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/octet-stream" },
    credentials: "same-origin",
    signal,
    body: file,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : noAnswer();
  });
  if (!response.ok) throw await problemOf(response);
  if (!response.body) throw noAnswer();
  return response.body;
}

/** Open a file that the server writes as it is read. Throws ApiError. */
export async function openDownload(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(path, { credentials: "same-origin", signal }).catch((error: unknown) => {
    throw signal.aborted ? error : noAnswer();
  });
  if (!response.ok) throw await problemOf(response);
  if (!response.body) throw noAnswer();
  return response.body;
}
