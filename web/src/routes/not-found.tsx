import { useNavigate } from "@tanstack/react-router";
import { EmptyPage } from "@/components/empty-page";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

export function NotFound() {
  const navigate = useNavigate();
  useTitle("Not found");
  return (
    <EmptyPage title="Page not found" text="Check the address. The page may have moved.">
      <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
        Open the arena
      </Button>
    </EmptyPage>
  );
}
