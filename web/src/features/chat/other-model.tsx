/** Asks the same question of another model. */
import type { Stored } from "@/features/arena/attachments/attaching";
import { isPicture } from "@/features/arena/attachments/sight";
import { ModelPicker } from "@/features/arena/model-picker";
import { STRINGS } from "@/features/chat/strings";
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
    <Dialog open={open} onOpenChange={onOpenChange} title={STRINGS.answerWith} titled>
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
