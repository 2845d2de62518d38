/** What loads when a composer or a question with pictures and files is first shown. */
import { Attach } from "@/features/arena/attachments/attach";
import { Attached } from "@/features/arena/attachments/attached";

export const PARTS = { Attach, Attached };
