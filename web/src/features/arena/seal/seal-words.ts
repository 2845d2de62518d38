/** What a person reads where a passkey or a passphrase did not do. */
import { asApiError } from "@/api/problem";
import { NoPrf, WrongSecret } from "@/features/arena/seal/seal-crypto";

export const LOST =
  "Without this passkey or passphrase nobody can read the session, you included: nothing can be recovered. It can still be deleted.";

export function wordsFor(error: unknown): string {
  if (error instanceof WrongSecret)
    return "That is not the passphrase of this session. Check capital letters and the keyboard’s language, then try again.";
  if (error instanceof NoPrf)
    return "This passkey can’t wrap a key: it lacks the PRF extension. Nothing was sealed. Use another one, or a passphrase.";
  if (error instanceof DOMException && error.name === "NotAllowedError")
    return "No passkey was used: the browser’s window was closed, or it has none that fits. Nothing was changed.";
  if (error instanceof DOMException) return `The browser refused: ${error.message} Nothing was changed.`;
  return asApiError(error).message;
}

/** Browsers have passkeys for names alone, over https or on this computer; never for an address of numbers. */
export const hasPasskeys =
  typeof PublicKeyCredential === "function" && !/^[\d.:[\]]+$/.test(window.location.hostname);
