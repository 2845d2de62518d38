/** Which of the things found on this computer is offered on the start page. Pure. */
import type { Discoveries, FoundKey, FoundServer } from "@/api/providers";

export type Offer = { key: string; title: string; where: string } & (
  | { kind: "server"; server: FoundServer }
  | { kind: "key"; found: FoundKey }
);

export const chatModels = (server: FoundServer) => server.models.filter(({ purpose }) => purpose === "chat");

/** The first of them that is not added yet and nobody has declined: servers that can be used at once, then others. */
export function offerOf(found: Discoveries | undefined, declined: readonly string[]): Offer | null {
  if (!found) return null;
  const servers = found.servers.filter(
    (server) => server.provider_id === null && (server.needs_key || chatModels(server).length > 0),
  );
  const offers: Offer[] = [
    ...servers
      .toSorted((a, b) => Number(a.needs_key) - Number(b.needs_key))
      .map((server) => ({
        kind: "server" as const,
        key: server.base_url,
        title: `${server.name} is running`,
        where: "on this computer",
        server,
      })),
    ...found.keys
      .filter((key) => key.provider_id === null)
      .map((key) => ({
        kind: "key" as const,
        key: key.variable,
        title: `${key.name} key found`,
        where: `in ${key.variable}`,
        found: key,
      })),
  ];
  return offers.find(({ key }) => !declined.includes(key)) ?? null;
}
