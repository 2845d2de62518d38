import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";

/** Keep a reply in the library. */
export async function keepReply(reply_id: string): Promise<void> {
  try {
    await answerOf(api.POST("/api/library/kept", { body: { reply_id } }));
    showToast("Kept in the library.");
  } catch (error) {
    showToast(asApiError(error).message, { tone: "bad" });
  }
}
