/** Why a reply is not there, or not whole: the problem's title and what to do. */
import { cn } from "@/lib/cn";

interface ReplyProblemProps {
  title: string;
  detail?: string | null | undefined;
  className?: string;
}

export const ReplyProblem = ({ title, detail, className }: ReplyProblemProps) => (
  <div className={cn("rounded-md bg-raised px-3 py-2 text-sm", className)}>
    <p className="font-medium">{title}</p>
    {detail && <p className="text-ink-2">{detail}</p>}
  </div>
);
