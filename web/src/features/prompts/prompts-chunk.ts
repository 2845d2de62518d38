/** What loads when a prompt is first wanted. */
import { PromptList } from "@/features/prompts/prompt-list";
import { PromptMenu } from "@/features/prompts/prompt-menu";

export const PARTS = { List: PromptList, Menu: PromptMenu };
