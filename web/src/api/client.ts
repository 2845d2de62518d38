/** The only place that calls fetch. */
import { problemOf, unreachable } from "@/api/problem";

interface Call {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

async function call(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Send JSON, read JSON. Throws ApiError. */
export async function request<T>(path: string, { method = "GET", body, signal }: Call = {}): Promise<T> {
  const response = await call(path, {
    method,
    signal: signal ?? null,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Open a stream of server-sent events, by GET or by a POST that starts something. Throws ApiError. */
export async function openStream(
  path: string,
  { method = "GET", body, signal, key }: Call & { key?: string } = {},
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (method === "POST") headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  const response = await call(path, {
    method,
    headers,
    signal: signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.body) throw unreachable();
  return response.body;
}
