/** One's own account: name, address, password, sign out, and its end. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut, Trash2, UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { changeMe, changePassword, deleteMe, type Person, signOut } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { forgetKept } from "@/api/offline";
import { asApiError } from "@/api/problem";
import { Setting } from "@/components/setting";
import { EntranceForm, PASSWORD_HINT, TextInput } from "@/features/accounts/entrance";
import { enterSpace } from "@/lib/space";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

/** Leaves nothing for who uses this browser next: neither kept sessions nor drafts. */
async function leave(): Promise<void> {
  await forgetKept();
  localStorage.clear();
  sessionStorage.clear();
  enterSpace(null);
}

export function AccountRows() {
  const { data } = useQuery(meQuery);
  return data?.mode === "shared" && data.person ? (
    <Rows person={data.person} mayJoin={data.sign_in.sign_up} />
  ) : null;
}

type Dialogs = "name" | "email" | "password" | "delete";

function Rows({ person, mayJoin }: { person: Person; mayJoin: boolean }) {
  const [open, setOpen] = useState<Dialogs | null>(null);
  const out = useMutation({
    mutationFn: signOut,
    onSuccess: leave,
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const close = () => setOpen(null);
  return (
    <>
      <Setting name={person.name} about={person.email ?? "What you made is kept for this browser alone."}>
        <span className="text-sm text-ink-2">{ROLES[person.role]}</span>
        <Button disabled={out.isPending} onClick={() => out.mutate()}>
          <LogOut aria-hidden="true" />
          Sign out
        </Button>
      </Setting>
      {person.role === "guest" && mayJoin && (
        <Setting name="Account" about="Keeps your sessions and votes, and signs you in on other devices.">
          <Button asChild>
            <a href="/join">
              <UserPlus aria-hidden="true" />
              Create an account
            </a>
          </Button>
        </Setting>
      )}
      <Setting name="Name" about="Others see it beside what you write.">
        <Button onClick={() => setOpen("name")}>Change name</Button>
      </Setting>
      {person.email !== null && (
        <>
          <Setting name="E-mail" about={person.email}>
            <Button onClick={() => setOpen("email")}>Change e-mail</Button>
          </Setting>
          <Setting name="Password" about="All other browsers are signed out when it changes.">
            <Button onClick={() => setOpen("password")}>Change password</Button>
          </Setting>
          <Setting
            name="Delete account"
            about="Deletes everything that is yours. Votes keep counting under a pseudonym, without their texts."
          >
            <Button className="text-bad!" onClick={() => setOpen("delete")}>
              <Trash2 aria-hidden="true" />
              Delete account
            </Button>
          </Setting>
        </>
      )}
      {open === "name" && <NameDialog person={person} onClose={close} />}
      {open === "email" && <EmailDialog person={person} onClose={close} />}
      {open === "password" && <PasswordDialog onClose={close} />}
      {open === "delete" && <DeleteDialog onClose={close} />}
    </>
  );
}

export const ROLES = { administrator: "Administrator", member: "Member", guest: "Guest" } as const;

interface DialogProps {
  onClose: () => void;
}

interface FormDialogProps extends DialogProps {
  title: string;
  submit: string;
  done: string;
  save: () => Promise<unknown>;
  children: ReactNode;
}

function FormDialog({ title, submit, done, save, onClose, children }: FormDialogProps) {
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      client.invalidateQueries({ queryKey: meQuery.queryKey });
      client.invalidateQueries({ queryKey: ["people"] });
      showToast(done);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit={submit}
          busy={saving.isPending}
          error={saving.error}
          onSubmit={() => saving.mutate()}
        >
          {children}
        </EntranceForm>
      </div>
    </Dialog>
  );
}

function NameDialog({ person, onClose }: DialogProps & { person: Person }) {
  const [name, setName] = useState(person.name);
  return (
    <FormDialog
      title="Change name"
      submit="Save name"
      done="Name saved."
      save={() => changeMe({ name })}
      onClose={onClose}
    >
      <TextInput label="Name" autoComplete="name" value={name} onChange={setName} />
    </FormDialog>
  );
}

function EmailDialog({ person, onClose }: DialogProps & { person: Person }) {
  const [email, setEmail] = useState(person.email ?? "");
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      title="Change e-mail"
      submit="Save e-mail"
      done="E-mail saved."
      save={() => changeMe({ email, password })}
      onClose={onClose}
    >
      <TextInput label="E-mail" type="email" autoComplete="email" value={email} onChange={setEmail} />
      <TextInput
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}

function PasswordDialog({ onClose }: DialogProps) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      title="Change password"
      submit="Save password"
      done="Password saved. All other browsers are signed out."
      save={() => changePassword({ current, password })}
      onClose={onClose}
    >
      <TextInput
        label="Password until now"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
      />
      <TextInput
        label="New password"
        hint={PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}

function DeleteDialog({ onClose }: DialogProps) {
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      title="Delete account?"
      submit="Delete account"
      done="Account deleted."
      save={async () => {
        await deleteMe(password);
        leave();
      }}
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">
        Your sessions, line-ups and prompts are deleted for good. Your votes keep counting under a pseudonym.
      </p>
      <TextInput
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
