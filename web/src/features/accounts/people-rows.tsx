/** Everybody, for administrators: roles, invitations, new passwords, and who is kept out. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ban, KeyRound, MoreHorizontal, RotateCcw, ShieldOff } from "lucide-react";
import { useState } from "react";
import {
  changePerson,
  type Invitation,
  type Person,
  peopleQuery,
  type Role,
  removeFactors,
  resetPassword,
  revokeInvitation,
} from "@/api/accounts";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { RelativeTime } from "@/components/relative-time";
import { type Column, Table } from "@/components/table";
import { ROLES } from "@/features/accounts/account-rows";
import { Initials } from "@/features/accounts/initials";
import { InviteDialog, LinkDialog } from "@/features/accounts/invite-dialog";
import { PeopleBar } from "@/features/accounts/people-bar";
import { findPeople, type Kind } from "@/features/accounts/people-list";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/ui/menu";
import { Select } from "@/ui/select";

export function PeopleRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.may_manage ? <Rows /> : null;
}

function Rows() {
  const client = useQueryClient();
  const { data } = useQuery(peopleQuery);
  const { data: me } = useQuery(meQuery);
  const [kind, setKind] = useState<Kind>("people");
  const [search, setSearch] = useState("");
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<{ link: Invitation; name: string } | null>(null);
  const everybody = data?.people ?? [];
  const handling = {
    onSuccess: () => client.invalidateQueries({ queryKey: peopleQuery.queryKey }),
    onError: (error: unknown) =>
      showToast(`${asApiError(error).message} ${asApiError(error).detail ?? ""}`, { tone: "bad" }),
  };
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string; role?: Role; disabled?: boolean }) => changePerson(id, body),
    ...handling,
  });
  const reset = useMutation({
    mutationFn: (person: Person) => resetPassword(person.id),
    onSuccess: (made, person) => setLink({ link: made, name: person.name }),
    onError: handling.onError,
  });
  const columns = columnsFor(me?.person?.id, (id, body) => change.mutate({ id, ...body }), reset.mutate);
  return (
    <>
      <PeopleBar
        people={everybody}
        kind={kind}
        onKind={setKind}
        search={search}
        onSearch={setSearch}
        onInvite={() => setInviting(true)}
      />
      <Table
        label="People"
        columns={columns}
        rows={data && findPeople(everybody, kind, search)}
        rowKey={(person) => person.id}
        rowProps={() => ({ className: "[&>*]:h-[50px] [&>*]:py-0!" })}
        empty={<p className="px-4 py-8 text-center text-sm text-ink-2">Nobody by this name.</p>}
        fixed
      />
      {data && data.invitations.length > 0 && <Invitations invitations={data.invitations} />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {link && (
        <LinkDialog
          title={`New password for ${link.name}`}
          about="Send them this link. It works once, for a day; their other logins end when they use it."
          url={link.link.url ?? ""}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}

type Change = (id: string, body: { role?: Role; disabled?: boolean }) => void;

const columnsFor = (
  own: string | undefined,
  onChange: Change,
  onReset: (person: Person) => void,
): Column<Person>[] => [
  {
    header: "Person",
    names: true,
    cell: (person) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <Initials name={person.name} className="max-sm:hidden" />
        <span className="min-w-0">
          <span className="block truncate font-medium">
            {person.name}
            {person.id === own && <span className="ml-1.5 text-xs text-ink-3">you</span>}
          </span>
          <span className="block truncate text-xs text-ink-3">
            {person.email ?? `since ${new Date(person.created_at).toLocaleDateString()}`}
          </span>
        </span>
      </span>
    ),
  },
  {
    header: "Role",
    width: "w-40 max-sm:w-36",
    cell: (person) =>
      person.disabled_at !== null ? (
        <span className="inline-flex items-center gap-1.5 text-bad">
          <Ban aria-hidden="true" className="size-3.5" />
          disabled
        </span>
      ) : person.email === null ? (
        ROLES.guest
      ) : (
        <Select
          aria-label={`Role of ${person.name}`}
          value={person.role}
          options={Object.entries(ROLES).map(([value, label]) => ({ value, label }))}
          onChange={(role) => onChange(person.id, { role: role as Role })}
        />
      ),
  },
  {
    header: "Last seen",
    width: "w-32",
    narrow: "lg",
    quiet: true,
    cell: (person) => (person.seen_at ? <RelativeTime at={person.seen_at} /> : "never"),
  },
  {
    header: "Actions",
    silent: true,
    width: "w-14",
    className: "text-right",
    cell: (person) => <PersonMenu person={person} onChange={onChange} onReset={onReset} />,
  },
];

async function forget({ id, name }: Person): Promise<void> {
  try {
    await removeFactors(id);
    showToast(`${name} signs in with the password alone now.`);
  } catch (error) {
    showToast(asApiError(error).message, { tone: "bad" });
  }
}

interface PersonMenuProps {
  person: Person;
  onChange: Change;
  onReset: (person: Person) => void;
}

function PersonMenu({ person, onChange, onReset }: PersonMenuProps) {
  const disabled = person.disabled_at !== null;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton size="icon-sm" label={`Actions for ${person.name}`}>
          <MoreHorizontal />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">
        {person.email !== null && !disabled && (
          <MenuItem onSelect={() => onReset(person)}>
            <KeyRound aria-hidden="true" />
            Link for a new password
          </MenuItem>
        )}
        {person.email !== null && (
          <MenuItem onSelect={() => forget(person)}>
            <ShieldOff aria-hidden="true" />
            Remove lost factors
          </MenuItem>
        )}
        <MenuItem onSelect={() => onChange(person.id, { disabled: !disabled })}>
          {disabled ? <RotateCcw aria-hidden="true" /> : <Ban aria-hidden="true" />}
          {disabled ? "Enable" : "Disable"}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: revokeInvitation,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleQuery.queryKey }),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <ul aria-label="Open invitations" className="divide-y divide-line">
      {invitations.map((each) => (
        <li key={each.id} className="flex items-center gap-3 px-4 py-2.5 text-sm">
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              Invitation{each.note && ` for ${each.note}`}, {ROLES[each.role ?? "member"].toLowerCase()}
            </span>
            <span className="block text-xs text-ink-3">
              by {each.created_by}, <RelativeTime at={each.created_at} />
            </span>
          </span>
          <Button size="sm" disabled={revoke.isPending} onClick={() => revoke.mutate(each.id)}>
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  );
}
