/** Whether the server said that nobody is signed in; the frame then asks for it. */
import { create } from "zustand";
import { forgetKept } from "@/api/offline";

export const useSignedOut = create<{ out: boolean }>(() => ({ out: false }));

export function signedOut(): void {
  if (useSignedOut.getState().out) return;
  useSignedOut.setState({ out: true });
  forgetKept();
}
