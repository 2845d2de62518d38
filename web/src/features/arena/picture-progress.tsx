/** A picture that is being drawn: as it is so far, how far that is, and how long it will take. */
import { thumbnailUrl } from "@/api/attachments";
import type { ReplyView } from "@/api/types";
import { ProgressBar } from "@/components/progress-bar";

type Progress = NonNullable<ReplyView["progress"]>;

export function PictureProgress({ progress }: { progress: Progress }) {
  const { preview } = progress;
  return (
    <div className="my-3 flex aspect-square w-full max-w-[280px] flex-col justify-end overflow-clip rounded-md border border-line bg-raised">
      {preview && (
        <img
          src={thumbnailUrl(preview.sha256)}
          alt="As it is so far"
          className="min-h-0 flex-1 object-cover"
        />
      )}
      <div className="flex flex-col gap-2 p-3">
        <p className="num m-0 text-sm text-ink-2">{wordsOf(progress)}</p>
        <ProgressBar label="Drawing" done={progress.share ?? null} className="h-1" />
      </div>
    </div>
  );
}

/** What is known of it, in a few words. */
export function wordsOf({ ahead, step, steps, left_s }: Progress): string {
  if (ahead) return ahead === 1 ? "1 picture is drawn before it" : `${ahead} pictures are drawn before it`;
  const done = step != null && steps ? `${step} of ${steps} steps` : "Drawing";
  return left_s ? `${done}, ${Math.ceil(left_s)} s left` : done;
}
