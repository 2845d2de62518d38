/** Passkeys in the browser: it makes one, and answers a challenge with one. */
import { addPasskey, enterWithPasskey, newPasskeyOptions, passkeyOptions } from "@/api/accounts";

/** Browsers have passkeys for names alone, over https or on this computer; never for an address of numbers. */
export const hasPasskeys =
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.:[\]]+$/.test(window.location.hostname);

/** The person has closed the browser's dialog, which is no fault. */
export const isCancelled = (error: unknown) =>
  error instanceof DOMException && error.name === "NotAllowedError";

const asJson = (credential: Credential | null) =>
  (credential as PublicKeyCredential).toJSON() as unknown as Record<string, never>;

export async function signInWithPasskey() {
  const { ticket, options } = await passkeyOptions();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = asJson(await navigator.credentials.get({ publicKey }));
  return enterWithPasskey({ ticket, credential });
}

export async function makePasskey(password: string, name: string) {
  const { ticket, options } = await newPasskeyOptions(password);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = asJson(await navigator.credentials.create({ publicKey }));
  return addPasskey({ ticket, credential, name });
}
