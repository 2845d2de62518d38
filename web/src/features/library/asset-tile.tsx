/** One thing in the grid: its picture, or the beginning of its text. */
import { Award, Code, Download, FileText, Table } from "lucide-react";
import { memo } from "react";
import { thumbnailUrl } from "@/api/attachments";
import type { AssetCard, AssetKind } from "@/api/library";
import { cn } from "@/lib/cn";
import { formatBytes } from "@/lib/format";

interface AssetTileProps {
  asset: AssetCard;
  /** Who made it. */
  maker: string | undefined;
  chosen: boolean;
  /** Which of how many it is: most of a long list are not drawn. */
  place: number;
  of: number;
  onOpen: (id: string) => void;
}

export const KIND_WORDS: Record<AssetKind, string> = {
  picture: "Picture",
  code: "Code",
  table: "Table",
  text: "Kept reply",
  export: "Export",
  file: "File",
};

export const AssetTile = memo(function AssetTile({
  asset,
  maker,
  chosen,
  place,
  of,
  onOpen,
}: AssetTileProps) {
  return (
    <li aria-posinset={place} aria-setsize={of} className="min-w-0">
      <button
        type="button"
        aria-pressed={chosen}
        onClick={() => onOpen(asset.id)}
        className="block w-full rounded-md text-left"
      >
        <Face asset={asset} chosen={chosen} />
        <span className="mt-1.5 block truncate text-sm font-medium">{asset.title}</span>
        <span className="block truncate text-xs text-ink-3">{maker ?? originWords(asset)}</span>
      </button>
    </li>
  );
});

const originWords = ({ origin }: AssetCard) =>
  origin === "export" ? "Exported" : origin === "program" ? "Made by a program" : "Uploaded";

function Face({ asset, chosen }: Pick<AssetTileProps, "asset" | "chosen">) {
  return (
    <span
      className={cn(
        "relative block aspect-[4/3] overflow-clip rounded-md border bg-surface",
        chosen ? "border-accent shadow-[0_0_0_2px_var(--accent)]" : "border-line hover:border-line-strong",
      )}
    >
      {asset.kind === "picture" ? (
        <img
          src={thumbnailUrl(asset.sha256)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full bg-raised object-cover"
        />
      ) : (
        <Words asset={asset} />
      )}
      {asset.preferred && (
        <span
          title="You voted for it"
          className="absolute top-1.5 right-1.5 grid size-6 place-items-center rounded-full border border-gold-line bg-surface text-gold"
        >
          <Award aria-label="You voted for it" className="size-3.5" />
        </span>
      )}
    </span>
  );
}

const ICONS = { code: Code, table: Table, text: FileText, export: Download, file: FileText };

function Words({ asset }: { asset: AssetCard }) {
  const { kind, excerpt, size } = asset;
  const Icon = kind === "picture" ? FileText : ICONS[kind];
  const mono = kind === "code" || kind === "table";
  return (
    <>
      {excerpt ? (
        <span
          className={cn(
            "absolute inset-0 block overflow-clip px-3 pt-2.5 whitespace-pre-wrap text-ink-2",
            mono ? "font-mono text-[10.5px] leading-[1.45]" : "text-xs",
          )}
        >
          {excerpt}
        </span>
      ) : (
        <Icon aria-hidden="true" className="absolute inset-x-0 top-1/4 mx-auto size-8 text-ink-3" />
      )}
      <span className="absolute inset-x-0 bottom-0 flex bg-surface px-2.5 py-2">
        <span className="num flex items-center gap-1.5 rounded-sm border border-line px-1.5 py-0.5 text-xs text-ink-2">
          <Icon aria-hidden="true" className="size-3" />
          {KIND_WORDS[kind]}, {formatBytes(size)}
        </span>
      </span>
    </>
  );
}
