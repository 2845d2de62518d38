/** What goes wrong between the page and the server, as one error type. */

import { signedOut } from "@/api/signed-out";
import { enterSpace } from "@/lib/space";

interface ProblemBody {
  title: string;
  code: string;
  status?: number;
  detail?: string | null;
  field?: string | null;
  result?: unknown;
}

/** The server answered with a problem document (RFC 9457), or could not be reached (status 0). */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string | null;
  readonly field: string | null;
  readonly result: unknown;

  constructor(status: number, problem: ProblemBody) {
    super(problem.title);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code;
    this.detail = problem.detail ?? null;
    this.field = problem.field ?? null;
    this.result = problem.result;
  }

  get unreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }
}

export const unreachable = () =>
  new ApiError(0, {
    code: "unreachable",
    title: "Can’t reach Parley’s server.",
    detail: "Check that it’s running, then try again.",
  });

/** Read a failed response as an ApiError. */
export const problemOf = async (response: Response): Promise<ApiError> =>
  problemIn(response.status, await response.json().catch(() => null));

/** A failed answer's body as an ApiError; what is no problem document becomes a plain one. */
export function problemIn(status: number, body: unknown): ApiError {
  if (body && typeof body === "object" && "code" in body && "title" in body) {
    if (body.code === "sign_in_required") signedOut();
    if (body.code === "not_in_workspace") enterSpace(null);
    return new ApiError(status, body as ProblemBody);
  }
  return new ApiError(status, {
    code: "unknown_error",
    title: `The server returned an error (${status}).`,
  });
}

/** Any thrown value as an ApiError, for showing. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(-1, {
    code: "page_error",
    title: "Something went wrong on this page.",
    detail: String(error),
  });
}
