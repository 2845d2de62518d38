/** Addresses whose percent signs encode nothing: they name what does not exist, and must not break the router. */

/** Return an address that the router can decode: in a part that it can't, each percent sign stands for itself. */
export function withReadablePath(url: URL): URL {
  const path = url.pathname
    .split("/")
    .map((part) => (isReadable(part) ? part : part.replaceAll("%", "%25")))
    .join("/");
  if (path === url.pathname) return url;
  const readable = new URL(url);
  readable.pathname = path;
  return readable;
}

/** Return what a part of an address encodes; a part that encodes nothing stands for itself. */
export function decoded(part: string): string {
  return isReadable(part) ? decodeURIComponent(part) : part;
}

function isReadable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
