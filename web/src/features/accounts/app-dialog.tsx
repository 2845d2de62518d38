/** Shows the secret of an app, takes its first code, and shows the recovery codes once. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmApp, type newApp } from "@/api/accounts";
import { CopyButton } from "@/components/copy-button";
import { EntranceForm, TextInput } from "@/features/accounts/entrance";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

interface AppDialogProps {
  app: Awaited<ReturnType<typeof newApp>>;
  onClose: () => void;
}

export function AppDialog({ app, onClose }: AppDialogProps) {
  const [code, setCode] = useState("");
  const confirm = useMutation({ mutationFn: () => confirmApp(code) });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add an app with codes" titled>
      <div className="max-h-[66vh] overflow-y-auto px-5 pb-5">
        {confirm.data ? (
          <RecoveryCodes codes={confirm.data.codes} onClose={onClose} />
        ) : (
          <EntranceForm
            submit="Confirm"
            busy={confirm.isPending}
            error={confirm.error}
            onSubmit={() => confirm.mutate()}
          >
            <p className="text-sm text-ink-2">Scan the picture with the app, or enter the secret by hand.</p>
            <img
              alt="QR code of the secret"
              className="size-44 self-center rounded-sm bg-white"
              src={`data:image/svg+xml,${encodeURIComponent(withNamespace(app.picture))}`}
            />
            <p className="flex items-center justify-center gap-1 font-mono text-xs [overflow-wrap:anywhere]">
              {app.secret}
              <CopyButton text={app.secret} label="Copy secret" />
            </p>
            <TextInput
              label="Code that the app shows"
              autoComplete="one-time-code"
              value={code}
              onChange={setCode}
            />
          </EntranceForm>
        )}
      </div>
    </Dialog>
  );
}

/** A picture in a page of its own needs the name of its language. */
const withNamespace = (svg: string) => svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="mt-4 flex flex-col gap-4">
      <p className="text-sm text-ink-2">
        The app is set up. Save these codes in case you lose it: each signs you in once. They are not shown
        again.
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-page p-3 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center justify-end gap-2">
        <CopyButton text={codes.join("\n")} label="Copy codes" />
        <Button variant="primary" onClick={onClose}>
          I’ve saved them
        </Button>
      </div>
    </div>
  );
}
