import { useNavigate } from "@tanstack/react-router";
import { EmptyPage } from "@/components/empty-page";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

export function NotFound() {
  const navigate = useNavigate();
  useTitle("Not found");
  return (
    <EmptyPage title="There is no such page." text="The address may be mistyped, or the page has moved.">
      <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
        Go to the arena
      </Button>
    </EmptyPage>
  );
}
