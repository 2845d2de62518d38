/** What can be done with all selected models at once. */
import { CircleSlash, Pause, Pencil, Play, Plus, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelCard } from "@/api/types";
import { isEditable } from "@/features/models/list-state";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

interface BulkBarProps {
  models: readonly ModelCard[];
  busy: boolean;
  onPool: (on: boolean) => void;
  onPause: (enabled: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
  onClear: () => void;
}

export function BulkBar({ models, busy, onPool, onPause, onEdit, onRemove, onClear }: BulkBarProps) {
  const own = models.filter(isEditable);
  const paused = own.length > 0 && own.every((model) => !model.enabled);
  const fixed = own.length === 0;
  const why = fixed ? "These models are in the model list or built in" : undefined;
  return (
    <section
      aria-label="Selected models"
      className="pointer-events-auto flex max-w-full animate-slide-in items-center gap-0.5 overflow-x-auto rounded-lg border border-line-strong bg-raised p-1.5 shadow-lift"
    >
      <p aria-live="polite" className="num px-2.5 text-sm font-medium whitespace-nowrap">
        {models.length} selected
      </p>
      <Act icon={<Plus />} label="Add to pool" disabled={busy} onClick={() => onPool(true)} />
      <Act icon={<CircleSlash />} label="Take out of pool" disabled={busy} onClick={() => onPool(false)} />
      <Act
        icon={paused ? <Play /> : <Pause />}
        label={paused ? "Resume" : "Pause"}
        title={why}
        disabled={busy || fixed}
        onClick={() => onPause(paused)}
      />
      <Act icon={<Pencil />} label="Edit" title={why} disabled={busy || fixed} onClick={onEdit} />
      <Act icon={<Trash2 />} label="Remove" title={why} disabled={busy || fixed} onClick={onRemove} bad />
      <span aria-hidden="true" className="mx-1 h-5 w-px shrink-0 bg-line-strong" />
      <IconButton size="icon-sm" label="Clear selection" onClick={onClear}>
        <X />
      </IconButton>
    </section>
  );
}

interface ActProps {
  icon: ReactNode;
  label: string;
  title?: string | undefined;
  disabled: boolean;
  bad?: boolean;
  onClick: () => void;
}

const Act = ({ icon, label, title, disabled, bad, onClick }: ActProps) => (
  <Button
    variant="quiet"
    aria-label={label}
    title={title}
    disabled={disabled}
    className={bad && !disabled ? "text-bad!" : "hover:bg-hover"}
    onClick={onClick}
  >
    <span aria-hidden="true" className="contents">
      {icon}
    </span>
    <span className="max-md:hidden">{label}</span>
  </Button>
);
