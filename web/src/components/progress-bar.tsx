interface ProgressBarProps {
  label: string;
  /** From 0 to 1; null where nobody knows. */
  done: number | null;
  className?: string;
}

export function ProgressBar({ label, done, className = "h-2" }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(done !== null && { "aria-valuenow": Math.round(done * 100) })}
      className={`overflow-clip rounded-full bg-raised ${className}`}
    >
      <div
        className={
          done === null
            ? "h-full animate-shimmer bg-accent/60"
            : "h-full rounded-full bg-accent transition-[width] duration-300"
        }
        style={{ width: done === null ? "100%" : `${(done * 100).toFixed(1)}%` }}
      />
    </div>
  );
}
