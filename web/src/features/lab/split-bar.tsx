/** The shares of training, validation and hold-out rows, as a bar and in numbers. */

const PARTS = [
  { name: "train", label: "train", look: "bg-ink-3" },
  { name: "validation", label: "val.", look: "bg-accent" },
  { name: "holdout", label: "hold-out", look: "border border-dashed border-ink-3" },
] as const;

export function SplitBar({ splits }: { splits: Record<string, number> }) {
  const parts = PARTS.filter(({ name }) => splits[name]);
  if (parts.length < 2) return null;
  return (
    <span className="mt-1 ml-[23px] block">
      <span aria-hidden="true" className="flex h-1 gap-0.5">
        {parts.map(({ name, look }) => (
          <i key={name} className={`rounded-full ${look}`} style={{ flexGrow: splits[name] }} />
        ))}
      </span>
      <span className="num mt-0.5 block truncate text-[11px] text-ink-3">
        {parts.map(({ name, label }) => `${label} ${splits[name]}`).join("  ")}
      </span>
    </span>
  );
}
