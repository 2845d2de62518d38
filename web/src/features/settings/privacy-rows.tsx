/** Who can read what, where it is kept, and what deletes it. */

import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type DataSummary, dataQuery } from "@/api/data";
import { useMayWrite } from "@/api/permissions";
import { aboutQuery } from "@/api/queries";
import { Setting } from "@/components/setting";
import { DeleteDialog } from "@/features/settings/delete-dialog";
import { Button } from "@/ui/button";

interface Kept {
  what: string;
  where: string;
  who: string;
  deletes: string;
}

const kept = (shared: boolean): Kept[] => {
  const host = shared ? "whoever runs this Parley" : "whoever can read this computer’s files";
  const you = shared ? "You, and the members of the workspace it is in" : "You";
  return [
    {
      what: "Questions, answers, titles",
      where: "Parley’s database, unencrypted, and the search index in it.",
      who: `${you}; ${host}; the providers of the models you ask.`,
      deletes: "Deleting the session: for good after an hour. Votes stay, without the texts.",
    },
    {
      what: "Sealed sessions",
      where: "The database, encrypted. Not in search, the library, logs, caches or readable exports.",
      who: "Whoever has the passkey or passphrase; Parley while it answers or shows the session; the providers of the models you ask. Models, times, counts and costs are not sealed.",
      deletes: "Deleting the session, without a key. A lost passkey or passphrase can’t be replaced.",
    },
    {
      what: "Pictures and files",
      where: "Beside the database: the data folder, or the bucket that was set.",
      who: `${you}; ${host}; the providers of the models you ask.`,
      deletes: "Deleting the last session that has them. Unused uploads go after a day.",
    },
    {
      what: "Votes",
      where: "The database, under a random name instead of yours.",
      who: `Everybody sees the totals; you your own votes; ${host} all of them.`,
      deletes: "Withdrawing the vote takes it out of the totals. Deleting sessions removes texts, not votes.",
    },
    {
      what: "Use and cost",
      where: "The database: models, times, tokens and money, without texts.",
      who: shared ? "You see your own, administrators everybody’s." : "You.",
      deletes: "It stays, for accounting: it has no texts.",
    },
    {
      what: "Rules’ findings",
      where:
        "The review queue, where moderation is on: the words that a rule found, but none of sealed sessions.",
      who: shared ? "Administrators." : "You.",
      deletes: "Delete everything, retention, or the one who reviews.",
    },
    {
      what: "Server log",
      where:
        "Where Parley’s output goes. It has no questions or answers; a provider’s error may quote one, in unsealed sessions alone.",
      who: `Only ${host}.`,
      deletes: "Only the one who runs Parley.",
    },
    {
      what: "Backups",
      where: "Wherever they were saved: all of the above. Sealed sessions stay encrypted in them.",
      who: "Whoever has the file.",
      deletes: "Deleting the file. What you delete here stays in backups made before.",
    },
    {
      what: "Shared links",
      where: "The database. Sealed sessions can’t be shared.",
      who: "Whoever has the link.",
      deletes: "Revoking the link, or its end.",
    },
    {
      what: "This browser",
      where: "Drafts, and your latest sessions for reading offline; nothing of sealed sessions.",
      who: "Whoever uses this browser profile.",
      deletes:
        "Signing out, or Data → Offline reading → Off, removes sessions. A draft goes when it is sent or cleared.",
    },
  ];
};

export function PrivacyRows() {
  const { data: about } = useQuery(aboutQuery);
  const { data } = useQuery(dataQuery);
  if (!about) return null;
  return (
    <>
      {kept(about.mode === "shared").map(({ what, where, who, deletes }) => (
        <div key={what} className="px-4 py-3 text-sm">
          <h3 className="font-medium">{what}</h3>
          <dl className="mt-1 grid gap-x-4 gap-y-1 text-ink-2 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
            <dt className="text-ink-3">Where it is kept</dt>
            <dd>{where}</dd>
            <dt className="text-ink-3">Who can read it</dt>
            <dd>{who}</dd>
            <dt className="text-ink-3">What deletes it</dt>
            <dd>{deletes}</dd>
          </dl>
        </div>
      ))}
      {data && <DeleteRow data={data} />}
    </>
  );
}

function DeleteRow({ data }: { data: DataSummary }) {
  const [deleting, setDeleting] = useState(false);
  if (!useMayWrite()) return null;
  return (
    <>
      <Setting
        name="Delete everything of mine here"
        about="All sessions, sealed ones too, and saved line-ups. Votes keep counting, without their texts."
      >
        <Button className="text-bad!" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" />
          Delete everything of mine
        </Button>
      </Setting>
      {deleting && <DeleteDialog data={data} onClose={() => setDeleting(false)} />}
    </>
  );
}
