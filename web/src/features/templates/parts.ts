/** What loads when a template is first wanted. */
import { TemplateList } from "@/features/templates/template-list";
import { TemplateMenu } from "@/features/templates/template-menu";

export const PARTS = { List: TemplateList, Menu: TemplateMenu };
