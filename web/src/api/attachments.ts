/** Uploads of pictures and files, and where they are served. */
import type { components } from "@/api/__generated__/schema";
import { problemIn, unreachable } from "@/api/problem";
import { checkServer } from "@/lib/server";

export const fileUrl = (sha256: string) => `/api/attachments/${sha256}`;
export const thumbnailUrl = (sha256: string) => `${fileUrl(sha256)}/thumbnail`;

/** Upload a file; `onProgress` hears how much is sent, from 0 to 1. Throws ApiError. */
export function uploadAttachment(
  file: File,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<components["schemas"]["Attached"]> {
  return new Promise((resolve, reject) => {
    // fetch does not tell how much of a body is sent.
    const request = new XMLHttpRequest();
    request.open("POST", `/api/attachments?name=${encodeURIComponent(nameOf(file))}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () =>
      request.status === 200
        ? resolve(request.response)
        : reject(problemIn(request.status, request.response));
    request.onerror = () => {
      checkServer();
      reject(unreachable());
    };
    request.onabort = () => reject(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The end of a file's name, which a URL can hold: without halves of characters. */
const nameOf = ({ name }: File) => name.slice(-200).replaceAll(/\p{Cs}/gu, "");
