/** How the answers of a comparison are shown. */
export interface ViewOptions {
  /** All panels scroll together. */
  synced: boolean;
  /** Texts as the models wrote them. */
  raw: boolean;
  /** The seat whose panel is shown alone. */
  focused: string | null;
}
