/** A reply with pictures or files: each stands where the model made it. */
import { Fragment } from "react";
import { isPicture } from "@/api/attachments";
import type { ReplyView } from "@/api/types";
import { Markdown } from "@/components/markdown/markdown";
import { AttachedFile } from "@/features/arena/attachments/attached-file";
import { type Piece, piecesOf } from "@/features/arena/reply-pieces";
import { cn } from "@/lib/cn";

export interface ReplyPartsProps {
  reply: Pick<ReplyView, "text" | "parts">;
  writing: boolean;
}

export function ReplyParts({ reply, writing }: ReplyPartsProps) {
  const pieces = piecesOf(reply);
  return pieces.map(({ text, files }, index) => (
    <Fragment key={String(index)}>
      {text && <Markdown text={text} writing={writing && index === pieces.length - 1} />}
      {files.length > 0 && <Files files={files} alone={reply.text === ""} />}
    </Fragment>
  ));
}

/** A reply without text is its pictures: small ones stand in the middle of its panel. */
function Files({ files, alone }: Pick<Piece, "files"> & { alone: boolean }) {
  const many = files.filter(isPicture).length > 1;
  return (
    <ul
      aria-label="Pictures and files"
      className={cn(
        "my-3 list-none gap-2 p-0",
        many ? "grid grid-cols-2" : "flex flex-wrap",
        alone && "items-center justify-center justify-items-center",
      )}
    >
      {files.map((file, place) => (
        <li key={String(place)} className="max-w-full">
          <AttachedFile file={file} large />
        </li>
      ))}
    </ul>
  );
}
