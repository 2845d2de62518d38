/** Providers of plug-ins, among the known ones. */
import { type PlugInList, working } from "@/api/plug-ins";
import type { KnownProvider } from "@/api/providers";

interface Preset {
  base_url: string;
  like: string;
  key_url: string | null;
  needs_key: boolean;
  local: boolean;
  note: string;
}

/** A known provider, or one of a plug-in that behaves `like` another. */
export type Choosable = KnownProvider & { like?: string };

/** The known provider that the server is told. */
export const knownAs = (known: Choosable): string => known.like ?? known.id;

/** The known providers, with those of plug-ins first. */
export function withPresets(known: readonly KnownProvider[], list: PlugInList | undefined): Choosable[] {
  const presets = working<Preset>(list, "connector").flatMap(({ id, title, about, content }) => {
    const like = known.find((each) => each.id === content.like);
    return like
      ? [
          {
            ...like,
            id: `plug-in-${id}`,
            like: like.id,
            name: title,
            base_url: content.base_url,
            key_url: content.key_url,
            needs_key: content.needs_key,
            local: content.local,
            note: content.note || about || null,
          },
        ]
      : [];
  });
  return [...presets, ...known];
}
