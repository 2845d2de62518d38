/** The frame around every page. */
import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useMemo } from "react";
import { modesQuery } from "@/api/queries";
import { FeaturesContext, ModesContext } from "@/features/arena/mode-feature";
import { Shell } from "@/features/shell/shell";
import { features } from "@/routes/mode-features";
import { TooltipProvider } from "@/ui/tooltip";

export function Root() {
  const { data } = useQuery(modesQuery);
  const modes = useMemo(
    () =>
      (data ?? []).flatMap((info) => {
        const feature = features.get(info.name);
        return feature ? [{ info, feature }] : [];
      }),
    [data],
  );
  return (
    <FeaturesContext value={features}>
      <ModesContext value={modes}>
        <TooltipProvider delayDuration={450}>
          <Shell>
            <Outlet />
          </Shell>
        </TooltipProvider>
      </ModesContext>
    </FeaturesContext>
  );
}
