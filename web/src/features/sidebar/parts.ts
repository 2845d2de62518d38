/** What of the sidebar loads when it is first shown. */
import { BelowTitle } from "@/features/sidebar/below-title";
import { FilterItems } from "@/features/sidebar/filter-items";
import { RenameField } from "@/features/sidebar/rename-field";
import { SelectedBar } from "@/features/sidebar/selected-bar";
import { SelectedItem } from "@/features/sidebar/selected-item";
import { SessionActions } from "@/features/sidebar/session-actions";
import { SessionDialog } from "@/features/sidebar/session-dialog";

export const PARTS = {
  BelowTitle,
  FilterItems,
  RenameField,
  SelectedBar,
  SelectedItem,
  SessionActions,
  SessionDialog,
};
