/** Asks the same question of another model. */

import { isPicture } from "@/api/attachments";
import type { Stored } from "@/features/arena/attachments/uploads";
import { ModelPicker } from "@/features/arena/model-picker";
import { Dialog } from "@/ui/dialog";

interface OtherModelProps {
  open: boolean;
  value: string | null;
  /** What came with the question. */
  files: readonly Stored[];
  onOpenChange: (open: boolean) => void;
  onChoose: (model: string) => void;
}

export function OtherModel({ open, value, files, onOpenChange, onChoose }: OtherModelProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Answer with another model" titled>
      <div className="mt-3 border-t border-line">
        <ModelPicker
          value={value}
          pictures={files.some(isPicture)}
          onChoose={(model) => {
            onOpenChange(false);
            onChoose(model);
          }}
        />
      </div>
    </Dialog>
  );
}
