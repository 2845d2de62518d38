/** Leads who has a password alone to a second factor, where one is demanded; until then nothing else is open. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Fingerprint, Smartphone } from "lucide-react";
import { useState } from "react";
import { signOut } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { Entrance, Problem } from "@/features/accounts/entrance";
import { NewAppDialog, PasskeyDialog } from "@/features/accounts/factor-rows";
import { hasPasskeys } from "@/features/accounts/passkey";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

/** What was refused before is asked anew. */
const startAnew = () => window.location.reload();

export function AddFactor() {
  const { data: me, refetch } = useQuery(meQuery);
  const [opened, setOpened] = useState<"passkey" | "app" | null>(null);
  const leave = useMutation({ mutationFn: signOut, onSuccess: startAnew });
  useTitle("Add a second factor");
  const close = async () => {
    setOpened(null);
    if ((await refetch()).data?.lacks_factor === false) startAnew();
  };
  return (
    <Entrance
      title="Add a second factor"
      about="Everyone here signs in with more than a password. Add one of these to continue."
    >
      {hasPasskeys && (
        <Button
          variant="primary"
          className="mt-5 h-10 w-full justify-center"
          onClick={() => setOpened("passkey")}
        >
          <Fingerprint aria-hidden="true" />
          Add passkey
        </Button>
      )}
      <Button
        variant={hasPasskeys ? "outline" : "primary"}
        className="mt-3 h-10 w-full justify-center"
        onClick={() => setOpened("app")}
      >
        <Smartphone aria-hidden="true" />
        Add app with codes
      </Button>
      <Button
        variant="quiet"
        className="mt-3 w-full justify-center"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Sign out{me?.person ? ` ${me.person.name}` : ""}
      </Button>
      {leave.error && <Problem error={leave.error} />}
      {opened === "passkey" && <PasskeyDialog onClose={close} />}
      {opened === "app" && <NewAppDialog onClose={close} />}
    </Entrance>
  );
}
