import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, modesQuery } from "@/api/queries";
import { watchTheme } from "@/lib/theme-store";
import { createAppRouter } from "@/routes/router";
import { createLiveTurns } from "@/turn/live-turns";
import { TurnsContext } from "@/turn/turns-context";
import "@/styles/index.css";

const client = createQueryClient();
const turns = createLiveTurns(client);
const router = createAppRouter();
watchTheme();
client.prefetchQuery(modesQuery);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <TurnsContext value={turns}>
          <RouterProvider router={router} />
        </TurnsContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
