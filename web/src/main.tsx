import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyOffline } from "@/api/offline";
import { aboutQuery, createQueryClient, modesQuery } from "@/api/queries";
import { MissingPart } from "@/components/failure";
import { prefetchParts } from "@/components/lazy-part";
import { watchUse } from "@/lib/hotkeys";
import { watchTheme } from "@/lib/theme-store";
import { watchTyping } from "@/lib/type-ahead";
import { whenIdle } from "@/lib/when-idle";
import { areas } from "@/routes/areas";
import { createAppRouter } from "@/routes/router";
import { createLiveTurns } from "@/turn/live-turns";
import { TurnsContext } from "@/turn/turns-context";
import "@/styles/index.css";

const client = createQueryClient();
const turns = createLiveTurns(client);
const router = createAppRouter(areas);
watchTheme();
watchUse();
watchTyping();
client.prefetchQuery(modesQuery);
client.prefetchQuery(aboutQuery);
prefetchParts();
whenIdle([applyOffline]);

const root = document.getElementById("root");
if (root) {
  createRoot(root, {
    // What could not be loaded is said on the page; it is no fault of the page's code.
    onCaughtError: (error) => error instanceof MissingPart || console.error(error),
  }).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <TurnsContext value={turns}>
          <RouterProvider router={router} />
        </TurnsContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
