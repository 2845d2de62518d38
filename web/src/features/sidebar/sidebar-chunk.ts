/** What of the sidebar loads when it is first shown. */

import { FilterItems } from "@/features/sidebar/filter-items";
import { RenameField } from "@/features/sidebar/rename-field";
import { SelectedBar } from "@/features/sidebar/selected-bar";
import { SelectedItem } from "@/features/sidebar/selected-item";
import { SessionActions } from "@/features/sidebar/session-actions";
import { SessionDetails } from "@/features/sidebar/session-details";
import { SessionDialog } from "@/features/sidebar/session-dialog";

export const PARTS = {
  SessionDetails,
  FilterItems,
  RenameField,
  SelectedBar,
  SelectedItem,
  SessionActions,
  SessionDialog,
};
