import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { asApiError } from "@/api/problem";
import { sessionQuery } from "@/api/queries";
import { showToast } from "@/lib/toast-store";

/** Saves a session as a Markdown file. */
export function useExport() {
  const client = useQueryClient();
  return useCallback(
    async (id: string) => {
      try {
        const [{ sessionMarkdown }, { saveFile }] = await Promise.all([
          import("@/features/arena/session-markdown"),
          import("@/lib/save-file"),
        ]);
        const view = await client.fetchQuery({ ...sessionQuery(id), staleTime: 0 });
        saveFile(`${fileName(view.session.title)}.md`, sessionMarkdown(view));
      } catch (error) {
        showToast(asApiError(error).message, { tone: "bad" });
      }
    },
    [client],
  );
}

const fileName = (title: string) =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)
    .toLowerCase() || "session";
