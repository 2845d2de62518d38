/** Makes a session's key, and wraps it under a passphrase or a passkey. The server gets only what is wrapped. */

import type { SealDraft, SealWrap } from "@/lib/seal-keys";

const ITERATIONS = 600_000;
const text = new TextEncoder();
const INFO = text.encode("parley seal 1");

export class WrongSecret extends Error {}
/** The authenticator has no PRF extension, so it can't wrap a key. */
export class NoPrf extends Error {}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

const encode = (bytes: Uint8Array<ArrayBuffer>) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const decode = (encoded: string) =>
  Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

const AES = { name: "AES-GCM", length: 256 };

async function passphraseKey(passphrase: string, salt: Uint8Array<ArrayBuffer>, iterations: number) {
  // The same characters may be typed in two ways.
  const typed = text.encode(passphrase.normalize("NFKC"));
  const material = await crypto.subtle.importKey("raw", typed, "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(how, material, AES, false, ["encrypt", "decrypt"]);
}

/** Ask for a passkey: any, or the one with this id; return it with what its PRF extension makes of the salt. */
async function askPasskey(salt: Uint8Array<ArrayBuffer>, id?: string) {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: random(32),
      userVerification: "required",
      ...(id && { allowCredentials: [{ type: "public-key", id: decode(id) }] }),
      extensions: { prf: { eval: { first: salt } } },
    },
  })) as PublicKeyCredential;
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (!first) throw new NoPrf();
  const material = await crypto.subtle.importKey("raw", first, "HKDF", false, ["deriveKey"]);
  const how = { name: "HKDF", hash: "SHA-256", salt, info: INFO };
  const wrapping = await crypto.subtle.deriveKey(how, material, AES, false, ["encrypt", "decrypt"]);
  return { wrapping, id: encode(new Uint8Array(credential.rawId)) };
}

/** Make a passkey for sealed sessions alone. It opens no account: Parley never asks it for a sign-in. */
export async function createPasskey(): Promise<void> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: random(32),
      rp: { name: "Parley" },
      user: { id: random(16), name: "Sealed sessions", displayName: "Sealed sessions" },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -257 },
      ],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      extensions: { prf: {} },
    },
  })) as PublicKeyCredential;
  if (!credential.getClientExtensionResults().prf?.enabled) throw new NoPrf();
}

async function wrapped(wrapping: CryptoKey, kind: SealWrap["kind"]) {
  const [key, nonce] = [random(32), random(12)];
  const how = { name: "AES-GCM", iv: nonce, additionalData: text.encode(`parley ${kind}`) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(how, wrapping, key));
  return { key: encode(key), wrap: { kind, nonce: encode(nonce), key: encode(sealed) } };
}

export async function sealByPassphrase(passphrase: string): Promise<SealDraft> {
  const salt = random(16);
  const { key, wrap } = await wrapped(await passphraseKey(passphrase, salt, ITERATIONS), "passphrase");
  return { key, wrap: { ...wrap, salt: encode(salt), iterations: ITERATIONS } };
}

export async function sealByPasskey(): Promise<SealDraft> {
  const salt = random(32);
  const { wrapping, id } = await askPasskey(salt);
  const { key, wrap } = await wrapped(wrapping, "passkey");
  return { key, wrap: { ...wrap, salt: encode(salt), credential_id: id } };
}

/** The session's key. Throws WrongSecret where the passphrase or passkey is another. */
export async function openWrap(wrap: SealWrap, passphrase: string): Promise<string> {
  const salt = decode(wrap.salt);
  const wrapping =
    wrap.kind === "passkey"
      ? (await askPasskey(salt, wrap.credential_id ?? undefined)).wrapping
      : await passphraseKey(passphrase, salt, wrap.iterations ?? ITERATIONS);
  const how = { name: "AES-GCM", iv: decode(wrap.nonce), additionalData: text.encode(`parley ${wrap.kind}`) };
  try {
    return encode(new Uint8Array(await crypto.subtle.decrypt(how, wrapping, decode(wrap.key))));
  } catch {
    throw new WrongSecret();
  }
}
