/** What loads with the first picture or file. */
import { Attached } from "@/features/arena/attachments/attached";
import { DraftFiles } from "@/features/arena/attachments/draft-files";
import { ReplyParts } from "@/features/arena/attachments/reply-parts";
import { attach, attachText } from "@/features/arena/attachments/uploads";

export const PARTS = { Attached, DraftFiles, ReplyParts, attach, attachText };
