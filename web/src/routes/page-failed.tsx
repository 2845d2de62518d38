import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { EmptyPage } from "@/components/empty-page";
import { useFailure } from "@/components/failure";
import { WaysOn } from "@/components/part-failed";
import { useTitle } from "@/lib/use-title";

/** Stands in the frame where a page failed. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { title, text } = useFailure(error);
  useTitle("Couldn’t load the page");
  return (
    <EmptyPage title={title} text={text}>
      <WaysOn
        error={error}
        retry={() => {
          reset();
          router.invalidate();
        }}
      />
    </EmptyPage>
  );
}
