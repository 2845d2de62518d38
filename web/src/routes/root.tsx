/** The frame around every page. */
import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { meQuery } from "@/api/me";
import { aboutQuery, modesQuery } from "@/api/queries";
import { useSignedOut } from "@/api/signed-out";
import { lazyPage } from "@/components/lazy-part";
import { FeatureContext, ModesContext } from "@/features/arena/mode-feature";
import { Shell } from "@/features/shell/shell";
import { featureOf } from "@/routes/mode-features";
import { PageTooltip } from "@/ui/page-tooltip";

const SignIn = lazyPage(() => import("@/features/accounts/sign-in").then((part) => part.SignIn));

const AddFactor = lazyPage(() => import("@/features/accounts/add-factor").then((part) => part.AddFactor));

export function Root() {
  const signedOut = useSignedOut((state) => state.out);
  const joins = useRouterState({ select: (state) => state.location.pathname === "/join" });
  // Who lacks a factor is refused everything but the question who they are.
  const { data: about, isError } = useQuery(aboutQuery);
  const { data: me } = useQuery({ ...meQuery, enabled: isError || about?.mode === "shared" });
  if (joins) return <Outlet />;
  if (signedOut) return <SignIn />;
  return me?.lacks_factor ? <AddFactor /> : <Frame />;
}

function Frame() {
  const { data } = useQuery(modesQuery);
  const modes = useMemo(
    () => (data ?? []).map((info) => ({ info, feature: featureOf(info.name, info) })),
    [data],
  );
  const find = useCallback(
    (name: string) => modes.find(({ info }) => info.name === name)?.feature ?? featureOf(name),
    [modes],
  );
  return (
    <FeatureContext value={find}>
      <ModesContext value={modes}>
        <Shell>
          <Outlet />
        </Shell>
        <PageTooltip />
      </ModesContext>
    </FeatureContext>
  );
}
