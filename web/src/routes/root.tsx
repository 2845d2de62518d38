/** The frame around every page. */
import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { modesQuery } from "@/api/queries";
import { FeatureContext, ModesContext } from "@/features/arena/mode-feature";
import { Shell } from "@/features/shell/shell";
import { featureOf } from "@/routes/mode-features";
import { PageTooltip } from "@/ui/page-tooltip";

export function Root() {
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
