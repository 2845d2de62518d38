import { ShortcutList } from "@/components/shortcut-list";
import { Dialog } from "@/ui/dialog";

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keyboard shortcuts"
      titled
      className="w-[min(440px,calc(100vw-24px))]"
    >
      <div
        tabIndex={0}
        className="focus-inset flex max-h-[68vh] flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5"
      >
        <ShortcutList />
      </div>
    </Dialog>
  );
}
