/** Uploads of pictures and files, and where they are served. */
import type { components } from "@/api/__generated__/schema";
import { answerOf, api, openDownload } from "@/api/client";
import { problemIn, unreachable } from "@/api/problem";
import { checkServer } from "@/lib/server";

export const fileUrl = (sha256: string) => `/api/attachments/${sha256}`;
export const isPicture = (file: { text_sha256: string | null }) => file.text_sha256 === null;
export const thumbnailUrl = (sha256: string) => `${fileUrl(sha256)}/thumbnail`;

export type EncodingSample = components["schemas"]["EncodingSample"];

/** The encodings in which a text file may be. Throws ApiError. */
export const loadEncodings = async (sha256: string): Promise<EncodingSample[]> =>
  (await answerOf(api.GET("/api/attachments/{sha256}/encodings", { params: { path: { sha256 } } })))
    .encodings;

/** Read a text file in another encoding. Throws ApiError. */
export const readAs = (sha256: string, encoding: string) =>
  answerOf(
    api.POST("/api/attachments/{sha256}/encodings/{encoding}", {
      params: { path: { sha256, encoding } },
    }),
  );

/** The text of an attached text file. Throws ApiError. */
export const readText = async (sha256: string): Promise<string> =>
  new Response(await openDownload(fileUrl(sha256), new AbortController().signal)).text();

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
