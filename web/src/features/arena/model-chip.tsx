/** Shows which model will answer; opens the picker, which loads when first opened. */
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Cpu } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { modelsQuery } from "@/api/queries";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

const ModelPicker = lazy(() =>
  import("@/features/arena/model-picker").then((module) => ({ default: module.ModelPicker })),
);

export function ModelChip({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const [open, setOpen] = useState(false);
  const { data: models } = useQuery(modelsQuery);
  const model = models?.find((each) => each.id === value);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="chip"
          size="sm"
          className="min-w-0 max-w-64"
          aria-label={`Model: ${model?.name ?? "none"}`}
        >
          <Cpu aria-hidden="true" />
          <span className="truncate">{model?.name ?? "Choose a model"}</span>
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label="Choose a model"
        className="w-[min(480px,calc(100vw-24px))] overflow-hidden"
      >
        <Suspense fallback={<Skeleton className="m-3 h-40" />}>
          <ModelPicker
            value={value}
            onChoose={(id) => {
              onChange(id);
              setOpen(false);
            }}
          />
        </Suspense>
      </PopoverContent>
    </Popover>
  );
}
