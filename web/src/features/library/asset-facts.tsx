/** Where a thing was made, as it is there now. */
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, Award } from "lucide-react";
import type { ReactNode } from "react";
import { thumbnailUrl } from "@/api/attachments";
import type { AssetView } from "@/api/library";
import { ModelMark } from "@/components/model-mark";
import { KIND_WORDS } from "@/features/library/asset-tile";
import { formatBytes, formatCost, formatMs } from "@/lib/format";

interface AssetFactsProps {
  view: AssetView;
  onOpen: (id: string) => void;
}

const VOTES: Record<string, string> = {
  won: "You voted for it",
  lost: "You voted for another",
  tie: "You called it a tie",
  both_bad: "You called both bad",
};

export function AssetFacts({ view: { asset, source, alike }, onOpen }: AssetFactsProps) {
  return (
    <>
      {source?.prompt && (
        <blockquote className="m-0 border-t border-line px-4 py-3 text-sm [overflow-wrap:anywhere]">
          “{source.prompt.slice(0, 600)}”
        </blockquote>
      )}
      {source && (
        <section className="border-t border-line px-4 py-3">
          <h3 className="mb-2 text-sm font-semibold">Where it comes from</h3>
          <dl className="m-0 grid grid-cols-[76px_1fr] gap-x-3 gap-y-1.5 text-sm">
            <Place source={source} isTrial={asset.origin === "trial"} />
            {source.model && (
              <Fact name="Model">
                <span className="flex items-center gap-2">
                  <ModelMark organization={source.model.organization} name={source.model.name} />
                  {source.model.name}
                </span>
              </Fact>
            )}
            {source.vote && (
              <Fact name="Vote">
                <span className="flex items-center gap-1.5 text-gold">
                  <Award aria-hidden="true" className="size-3.5" />
                  {VOTES[source.vote] ?? source.vote}
                </span>
              </Fact>
            )}
            <Fact name="Made">
              <time dateTime={asset.created_at}>{new Date(asset.created_at).toLocaleString()}</time>
            </Fact>
          </dl>
          {source.session_id && (
            <Link
              to="/s/$session"
              params={{ session: source.session_id }}
              hash={source.turn_id ?? undefined}
              className={OPEN}
            >
              {OPEN_WORDS}
            </Link>
          )}
          {source.cell && (
            <Link to="/lab" search={cellSearch(source.cell, asset.model_id)} className={OPEN}>
              {OPEN_WORDS}
            </Link>
          )}
        </section>
      )}
      <section aria-label="Details" className="border-t border-line px-4 py-3">
        <dl className="num m-0 grid grid-cols-[76px_1fr] gap-x-3 gap-y-1.5 text-sm">
          <Fact name="Size">
            {[
              asset.width && `${asset.width} × ${asset.height}`,
              KIND_WORDS[asset.kind],
              formatBytes(asset.size),
            ]
              .filter(Boolean)
              .join(", ")}
          </Fact>
          {source?.settings && <Fact name="Settings">{settingsWords(source.settings)}</Fact>}
          {source?.cost_micros != null && (
            <Fact name="Cost">
              {formatCost(source.cost_micros)}
              {source.duration_ms != null && `, made in ${formatMs(source.duration_ms)}`}
            </Fact>
          )}
          <Fact name="File">
            <code className="font-mono text-xs" title={asset.sha256}>
              {asset.sha256.slice(0, 8)} … {asset.sha256.slice(-4)}
            </code>
          </Fact>
        </dl>
      </section>
      {alike.length > 0 && asset.kind === "picture" && (
        <section className="border-t border-line px-4 py-3">
          <h3 className="mb-2 text-sm font-semibold">Same prompt</h3>
          <ul className="m-0 grid list-none grid-cols-3 gap-2 p-0">
            {alike.map((other) => (
              <li key={other.id}>
                <button
                  type="button"
                  aria-label={`Open ${other.title} by ${other.model_id}`}
                  onClick={() => onOpen(other.id)}
                  className="block w-full overflow-clip rounded-sm border border-line hover:border-line-strong"
                >
                  <img
                    src={thumbnailUrl(other.sha256)}
                    alt=""
                    loading="lazy"
                    className="aspect-[4/3] w-full object-cover"
                  />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const OPEN =
  "mt-3 inline-flex min-h-8 touch:min-h-11 items-center gap-1.5 rounded-md border border-line px-2.5 text-sm hover:border-line-strong";
const OPEN_WORDS = (
  <>
    <ArrowUpRight aria-hidden="true" className="size-3.5" />
    Open where it was made
  </>
);

type Source = NonNullable<AssetView["source"]>;
type Cell = NonNullable<Source["cell"]>;

const cellSearch = ({ prompt_id, run_id, row, version }: Cell, model: string | null) => ({
  prompt: prompt_id,
  tab: "runs" as const,
  run: run_id,
  ...(row && version && model && { row, version, model }),
});

function Place({ source, isTrial }: { source: Source; isTrial: boolean }) {
  const { cell, session_id, session_title, turn } = source;
  if (session_id)
    return (
      <Fact name="Session">
        {session_title}
        {turn !== null && ` · turn ${turn}`}
      </Fact>
    );
  if (!isTrial) return <Fact name="Origin">A program, by the API</Fact>;
  if (!cell) return <Fact name="Origin">A run of the Prompt Lab that was deleted</Fact>;
  return (
    <Fact name="Run">
      {cell.prompt_name}
      {cell.version && ` v${cell.version}`}, run {cell.run}
      {cell.row && `, row ${cell.row}`}
    </Fact>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="m-0 min-w-0 [overflow-wrap:anywhere]">{children}</dd>
  </>
);

type Settings = NonNullable<Source["settings"]>;

const settingsWords = ({ seed, steps, width, height, count, negative_prompt }: Settings): string =>
  [
    seed != null && `seed ${seed}`,
    steps != null && `${steps} steps`,
    width != null && height != null && `${width} × ${height}`,
    count != null && `${count} pictures`,
    negative_prompt && `without “${negative_prompt}”`,
  ]
    .filter(Boolean)
    .join(", ");
