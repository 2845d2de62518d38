import { useCallback } from "react";
import { asApiError } from "@/api/problem";
import { exportSessions } from "@/api/sessions";
import { saveFile } from "@/lib/save-file";
import { showToast } from "@/lib/toast-store";

/** Saves a session as a Markdown file. */
export function useExport() {
  return useCallback(async (id: string) => {
    try {
      const { name, content } = await exportSessions([id], "markdown");
      saveFile(name, content);
    } catch (error) {
      showToast(asApiError(error).message, { tone: "bad" });
    }
  }, []);
}
