/** What loads with the first picture or file. */
import { Attached } from "@/features/arena/attachments/attached";
import { attach } from "@/features/arena/attachments/attaching";
import { DraftFiles } from "@/features/arena/attachments/draft-files";

export const PARTS = { Attached, DraftFiles, attach };
