/** What loads when a composer or a question with pictures and files is first shown. */
import { AttachButton } from "@/features/arena/attachments/attach-button";
import { Attached } from "@/features/arena/attachments/attached";
import { DraftFiles } from "@/features/arena/attachments/draft-files";

export const PARTS = { AttachButton, Attached, DraftFiles };
