/** Above every page: the server is away, or serves a newer page than this one. */

import { CloudOff, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useRetryFailed } from "@/api/use-retry-failed";
import { STRINGS } from "@/features/shell/strings";
import { checkServer, useServer, watchServer } from "@/lib/server";
import { Button } from "@/ui/button";

export function ServerStrip() {
  const { away, outdated } = useServer();
  const retryFailed = useRetryFailed();
  useEffect(watchServer, []);
  useEffect(() => {
    if (!away) retryFailed();
  }, [away, retryFailed]);
  if (away) {
    return (
      <Strip
        icon={<CloudOff />}
        text={STRINGS.unreachable}
        button={
          <Button size="sm" onClick={checkServer}>
            {STRINGS.retryNow}
          </Button>
        }
      />
    );
  }
  if (!outdated) return null;
  return (
    <Strip
      icon={<RefreshCw />}
      text={STRINGS.newVersion}
      button={
        <Button size="sm" onClick={() => location.reload()}>
          {STRINGS.reloadPage}
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
