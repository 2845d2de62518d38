/** What has no rule of its own, with the reason. */
import { useState } from "react";
import type { Kept } from "@/api/retention";
import { Setting } from "@/components/setting";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

export function KeptRows({ kept }: { kept: readonly Kept[] }) {
  const [open, setOpen] = useState(false);
  return (
    <Setting name="Everything else" about="What is stored without a rule, and why.">
      <Button onClick={() => setOpen(true)}>Show</Button>
      {open && (
        <Dialog open onOpenChange={setOpen} title="Stored without a rule" titled>
          <dl className="flex max-h-[62dvh] flex-col gap-3 overflow-y-auto px-5 pt-2 pb-5 text-sm">
            {kept.map(({ nouns, why, days }) => (
              <div key={nouns}>
                <dt className="font-medium">
                  {nouns}
                  {days !== null && (
                    <span className="font-normal text-ink-2">, {days === 1 ? "1 day" : `${days} days`}</span>
                  )}
                </dt>
                <dd className="mt-0.5 text-ink-2">{why}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </Setting>
  );
}
