/** Above every page: the server is away, or serves a newer page than this one. */

import { useQueryClient } from "@tanstack/react-query";
import { CloudOff, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { keepsSessions } from "@/api/offline";
import { checkServer, useServer, watchServer } from "@/lib/server";
import { Button } from "@/ui/button";

export function ServerStrip() {
  const { away, outdated } = useServer();
  const client = useQueryClient();
  useEffect(watchServer, []);
  useEffect(() => {
    // Once it is back: what could not be had, and what was a copy.
    if (away) return () => void client.invalidateQueries();
  }, [away, client]);
  if (away) {
    return (
      <Strip
        icon={<CloudOff />}
        text={
          keepsSessions()
            ? "Can’t reach Parley’s server. Recent sessions can still be read, and your text is saved."
            : "Can’t reach Parley’s server. Your text is saved."
        }
        button={
          <Button size="sm" onClick={checkServer}>
            Retry now
          </Button>
        }
      />
    );
  }
  if (!outdated) return null;
  return (
    <Strip
      icon={<RefreshCw />}
      text="A new version of Parley is available."
      button={
        <Button size="sm" onClick={() => location.reload()}>
          Reload page
        </Button>
      }
    />
  );
}

interface StripProps {
  icon: ReactNode;
  text: string;
  button: ReactNode;
}

function Strip({ icon, text, button }: StripProps) {
  return (
    <div
      role="status"
      className="flex animate-fade-in items-center gap-2.5 border-b border-line-strong bg-raised px-3 py-1.5 text-sm sm:px-5 [&>svg]:size-[15px] [&>svg]:shrink-0"
    >
      {icon}
      <p className="min-w-0 flex-1">{text}</p>
      {button}
    </div>
  );
}
