import { useQuery } from "@tanstack/react-query";
import { aboutQuery } from "@/api/queries";
import { lazyExtra } from "@/components/lazy-part";
import { useStored } from "@/lib/stored";

const DemoText = lazyExtra(() => import("@/features/arena/demo-text").then((part) => part.DemoText));

/** Explains the demo models, while they are the only ones. */
export function DemoBanner() {
  const { data: about } = useQuery(aboutQuery);
  const [dismissed, setDismissed] = useStored("demo-banner-dismissed", false);
  if (!about?.demo || dismissed) return null;
  return <DemoText onDismiss={() => setDismissed(true)} />;
}
