/** The workspace that this browser acts in, kept in a cookie, so that pictures and streams are asked for in it too. */

const COOKIE = "parley_space";
const YEAR_S = 31_536_000;

/** The id of the workspace; null in one's own space. */
export const currentSpace = (): string | null =>
  document.cookie.match(new RegExp(`(?:^|; )${COOKIE}=([0-9a-f]{32})`))?.[1] ?? null;

/** Act in a workspace from now on, or in one's own space. What is shown belongs to the one before. */
export function enterSpace(id: string | null, path = "/"): void {
  const age = id === null ? 0 : YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and not every browser has the Cookie Store
  document.cookie = `${COOKIE}=${id ?? ""}; path=/; max-age=${age}; samesite=lax`;
  window.location.assign(path);
}
