import { useNavigate } from "@tanstack/react-router";
import { EmptyPage } from "@/components/empty-page";
import { useTitle } from "@/lib/use-title";
import { STRINGS } from "@/routes/strings";
import { Button } from "@/ui/button";

export function NotFound() {
  const navigate = useNavigate();
  useTitle(STRINGS.notFound);
  return (
    <EmptyPage title={STRINGS.notFoundTitle} text={STRINGS.notFoundHint}>
      <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
        {STRINGS.openArena}
      </Button>
    </EmptyPage>
  );
}
