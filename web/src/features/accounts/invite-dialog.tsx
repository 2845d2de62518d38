/** Makes an invitation, and shows its link once. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invite, peopleQuery } from "@/api/accounts";
import { CopyButton } from "@/components/copy-button";
import { EntranceForm } from "@/features/accounts/entrance";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const DAYS = ["1", "7", "30"] as const;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const [role, setRole] = useState("member");
  const [days, setDays] = useState("7");
  const make = useMutation({
    mutationFn: () => invite({ note, role: role as "member" | "administrator", days: Number(days) }),
    onSuccess: () => client.invalidateQueries({ queryKey: peopleQuery.queryKey }),
  });
  if (make.data) {
    return (
      <LinkDialog
        title="Invitation"
        about={`Send this link to one person. It works once, for ${days === "1" ? "a day" : `${days} days`}, and is not shown again.`}
        url={make.data.url ?? ""}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Invite by link" titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit="Make link"
          busy={make.isPending}
          error={make.error}
          onSubmit={() => make.mutate()}
        >
          <Labelled label="For whom" hint="Only administrators see it.">
            {(id, hintId) => (
              <Field
                id={id}
                aria-describedby={hintId}
                maxLength={64}
                placeholder="Jonas, design team"
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Labelled>
          <div className="grid grid-cols-2 gap-3">
            <Labelled label="Role">
              {(id) => (
                <Select
                  id={id}
                  value={role}
                  options={[
                    { value: "member", label: "Member" },
                    { value: "administrator", label: "Administrator" },
                  ]}
                  onChange={setRole}
                />
              )}
            </Labelled>
            <Labelled label="Expires in">
              {(id) => (
                <Select
                  id={id}
                  value={days}
                  options={DAYS.map((each) => ({
                    value: each,
                    label: each === "1" ? "1 day" : `${each} days`,
                  }))}
                  onChange={setDays}
                />
              )}
            </Labelled>
          </div>
        </EntranceForm>
      </div>
    </Dialog>
  );
}

interface LinkDialogProps {
  title: string;
  about: string;
  url: string;
  onClose: () => void;
}

export function LinkDialog({ title, about, url, onClose }: LinkDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <p className="text-sm text-ink-2">{about}</p>
        <div className="flex items-center gap-2">
          <Field
            aria-label="Link"
            readOnly
            className="min-w-0 flex-1 font-mono"
            value={url}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={url} label="Copy link" />
        </div>
        <Button className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
