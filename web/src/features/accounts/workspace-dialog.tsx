/** The name and the members of a workspace, and its end. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import {
  deleteWorkspace,
  putMember,
  removeMember,
  renameWorkspace,
  type SpaceRole,
  type Workspace,
} from "@/api/accounts";
import { meQuery, workspacesQuery } from "@/api/me";
import { Problem } from "@/features/accounts/entrance";
import { Initials } from "@/features/accounts/initials";
import { ProviderKeys } from "@/features/accounts/provider-keys";
import { currentSpace, enterSpace } from "@/lib/space";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

const ROLES: { value: SpaceRole; label: string }[] = [
  { value: "owner", label: "Owner" },
  { value: "editor", label: "Editor" },
  { value: "viewer", label: "Viewer" },
];

interface WorkspaceDialogProps {
  workspace: Workspace;
  onClose: () => void;
}

export function WorkspaceDialog({ workspace, onClose }: WorkspaceDialogProps) {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const owns = workspace.role === "owner";
  const changed = () => client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
  const put = useMutation({
    mutationFn: (body: { email: string; role: SpaceRole }) => putMember(workspace.id, body),
    onSuccess: changed,
  });
  const take = useMutation({
    mutationFn: (member: string) => removeMember(workspace.id, member),
    onSuccess: (_, member) => {
      changed();
      if (member !== me?.person?.id) return;
      onClose();
      if (currentSpace() === workspace.id) enterSpace(null);
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={workspace.name} titled>
      <div className="flex max-h-[64vh] flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5">
        {owns && (
          <AddMember
            busy={put.isPending}
            onAdd={(email, role, done) => put.mutate({ email, role }, { onSuccess: done })}
          />
        )}
        <ul className="flex flex-col gap-2.5" aria-label="Members">
          {workspace.members.map((member) => (
            <li key={member.id} className="flex items-center gap-2.5">
              <Initials name={member.name} className="max-sm:hidden" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">
                  {member.name}
                  {member.id === me?.person?.id && <span className="ml-1.5 text-xs text-ink-3">you</span>}
                </span>
                <span className="block truncate text-xs text-ink-3">{member.email}</span>
              </span>
              {owns && member.email !== null ? (
                <Select
                  aria-label={`Role of ${member.name}`}
                  className="w-28 max-sm:w-24"
                  value={member.role}
                  options={ROLES}
                  onChange={(role) => put.mutate({ email: member.email ?? "", role: role as SpaceRole })}
                />
              ) : (
                <span className="text-sm text-ink-2">{member.role}</span>
              )}
              {(owns || member.id === me?.person?.id) && (
                <Button
                  className="w-20 justify-center"
                  aria-label={member.id === me?.person?.id ? "Leave the workspace" : `Remove ${member.name}`}
                  disabled={take.isPending}
                  onClick={() => take.mutate(member.id)}
                >
                  {member.id === me?.person?.id ? "Leave" : "Remove"}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {(put.error ?? take.error) && <Problem error={put.error ?? take.error} />}
        <p className="text-xs text-ink-3">
          Viewers read. Editors ask, vote and change what is shared. Owners also decide who is in it.
        </p>
        {owns && (
          <section aria-labelledby="workspace-keys">
            <h3 id="workspace-keys" className="text-sm font-medium">
              Provider keys
            </h3>
            <p className="mt-0.5 text-xs text-ink-3">
              Questions in this workspace use them, except those of members with a key of their own.
            </p>
            <div className="mt-2 divide-y divide-line overflow-clip rounded-lg border border-line">
              <ProviderKeys workspaceId={workspace.id} />
            </div>
          </section>
        )}
        {/* A saved name begins a new field: nothing typed is left in it that closing would lose. */}
        {owns && <Rename key={workspace.name} workspace={workspace} onRenamed={changed} />}
        {owns && <DeleteWorkspace workspace={workspace} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface RenameProps {
  workspace: Workspace;
  onRenamed: () => void;
}

function Rename({ workspace, onRenamed }: RenameProps) {
  const [name, setName] = useState(workspace.name);
  const rename = useMutation({
    mutationFn: () => renameWorkspace(workspace.id, name.trim()),
    onSuccess: onRenamed,
  });
  const asked = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  const same = name.trim() === "" || name.trim() === workspace.name;
  return (
    <form className="flex flex-col gap-2" onSubmit={asked}>
      <div className="flex items-center gap-2">
        <Field
          aria-label="Name of the workspace"
          className="min-w-0 flex-1"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={same || rename.isPending}>
          Rename
        </Button>
      </div>
      {rename.error && <Problem error={rename.error} />}
    </form>
  );
}

interface AddMemberProps {
  busy: boolean;
  onAdd: (email: string, role: SpaceRole, done: () => void) => void;
}

function AddMember({ busy, onAdd }: AddMemberProps) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<SpaceRole>("editor");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onAdd(email, role, () => setEmail((now) => (now === email ? "" : now)));
  };
  return (
    <form className="flex items-center gap-2" onSubmit={add}>
      <Field
        type="email"
        required
        aria-label="E-mail of a person"
        placeholder="E-mail of a person"
        className="min-w-0 flex-1"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select
        aria-label="Role"
        className="w-28"
        value={role}
        options={ROLES}
        onChange={(next) => setRole(next as SpaceRole)}
      />
      <Button type="submit" variant="primary" disabled={busy}>
        Add
      </Button>
    </form>
  );
}

function DeleteWorkspace({ workspace, onClose }: WorkspaceDialogProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const end = useMutation({
    mutationFn: () => deleteWorkspace(workspace.id),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      onClose();
      if (currentSpace() === workspace.id) enterSpace(null);
    },
  });
  if (typed === null) {
    return (
      <Button className="self-start text-bad!" onClick={() => setTyped("")}>
        Delete workspace
      </Button>
    );
  }
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="text-sm text-ink-2">
        Deletes all sessions, line-ups and prompts in it, for everybody. Votes keep counting.
      </p>
      <div className="flex items-center gap-2">
        <Field
          aria-label="Type “delete” to confirm"
          placeholder="Type “delete” to confirm"
          className="min-w-0 flex-1"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          className="text-bad!"
          disabled={typed.trim().toLowerCase() !== "delete" || end.isPending}
          onClick={() => end.mutate()}
        >
          Delete workspace
        </Button>
      </div>
      {end.error && <Problem error={end.error} />}
    </div>
  );
}
