/** The only place that calls the API. */
import createClient from "openapi-fetch";
import type { paths } from "@/api/__generated__/schema";
import { KEPT, offline } from "@/api/offline";
import { type ApiError, problemIn, problemOf, unreachable } from "@/api/problem";
import { keyOf } from "@/lib/seal-keys";
import { checkServer } from "@/lib/server";

const SEAL = "parley-seal";

/** Every call of the HTTP contract that answers with JSON, typed by the OpenAPI document. */
export const api = createClient<paths>({ credentials: "same-origin" });
api.use(offline);
// A sealed session's key goes with each request about it, in a header: addresses are logged.
api.use({
  onRequest({ request }) {
    const key = keyOf(new URL(request.url).pathname);
    if (key) request.headers.set(SEAL, key);
  },
});

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
  /** The key of the sealed session that begins; one that is there is known by its address. */
  seal?: string | undefined;
}

/** Open a stream of server-sent events, by GET or by a POST that starts something. Throws ApiError. */
export async function openStream(
  path: string,
  { method = "GET", body, signal, key, seal = keyOf(path) }: Opening = {},
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (method === "POST") headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  if (seal) headers[SEAL] = seal;
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
