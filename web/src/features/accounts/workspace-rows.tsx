/** One's workspaces: make, enter, share and leave them. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogIn, Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { createWorkspace, type Workspace } from "@/api/accounts";
import { meQuery, workspacesQuery } from "@/api/me";
import { Setting } from "@/components/setting";
import { EntranceForm, TextInput } from "@/features/accounts/entrance";
import { WorkspaceDialog } from "@/features/accounts/workspace-dialog";
import { currentSpace, enterSpace } from "@/lib/space";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

export function WorkspaceRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.person && me.person.role !== "guest" ? <Rows /> : null;
}

function Rows() {
  const { data = [] } = useQuery(workspacesQuery);
  const [opened, setOpened] = useState<string | null>(null);
  const [making, setMaking] = useState(false);
  const here = currentSpace();
  const shown = data.find(({ id }) => id === opened);
  return (
    <>
      {data.map((workspace) => (
        <Setting key={workspace.id} name={workspace.name} about={aboutOf(workspace)}>
          <Button onClick={() => setOpened(workspace.id)}>
            <Settings2 aria-hidden="true" />
            Members
          </Button>
          <Button onClick={() => enterSpace(here === workspace.id ? null : workspace.id)}>
            <LogIn aria-hidden="true" />
            {here === workspace.id ? "Leave for my own space" : "Enter"}
          </Button>
        </Setting>
      ))}
      <Setting
        name="New workspace"
        about="A place where several people share sessions, line-ups and prompts."
      >
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          New workspace
        </Button>
      </Setting>
      {making && <NewDialog onClose={() => setMaking(false)} />}
      {shown && <WorkspaceDialog workspace={shown} onClose={() => setOpened(null)} />}
    </>
  );
}

const aboutOf = ({ members, role }: Workspace) =>
  `${members.length === 1 ? "Only you" : `${members.length} people`}. You are ${role === "viewer" ? "a viewer" : `an ${role}`}.`;

function NewDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const make = useMutation({
    mutationFn: () => createWorkspace(name),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New workspace" titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit="Make workspace"
          busy={make.isPending}
          error={make.error}
          onSubmit={() => make.mutate()}
        >
          <TextInput label="Name" autoComplete="off" autoFocus value={name} onChange={setName} />
        </EntranceForm>
      </div>
    </Dialog>
  );
}
