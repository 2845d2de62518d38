/** The verdicts of checks on one answer. */

import { Check, CircleDashed, X } from "lucide-react";

interface CheckMarksProps {
  checks: readonly { label: string; passed: boolean | null; reason: string }[];
}

export function CheckMarks({ checks }: CheckMarksProps) {
  if (checks.length === 0) return null;
  return (
    <ul
      aria-label="Checks"
      className="grid grid-cols-2 gap-x-3 gap-y-1 text-xs text-ink-2 max-sm:grid-cols-1"
    >
      {checks.map(({ label, passed, reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have one label
        <li key={at} title={reason || undefined} className="flex items-start gap-1.5">
          <VerdictMark passed={passed} />
          <span className="min-w-0">
            {label}
            {passed === false && reason && <span className="block text-ink-3">{reason}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function VerdictMark({ passed }: { passed: boolean | null }) {
  const shape = "mt-px size-3.5 shrink-0";
  if (passed === null) return <CircleDashed aria-label="Open" className={`${shape} text-ink-3`} />;
  return passed ? (
    <Check aria-label="Passed" className={`${shape} text-good`} />
  ) : (
    <X aria-label="Failed" className={`${shape} text-bad`} />
  );
}
