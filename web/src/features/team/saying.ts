/** How the composer speaks of a team: its experts by their roles, and what a text is while it pauses. Pure. */

import type { MatchRecord, NoteView, SeatView } from "@/api/types";
import { lastTurn, type SayingWords } from "@/features/arena/mode-feature";
import { MODE_STRINGS } from "@/features/team/mode-strings";
import type { PlanNote, RoundNote } from "@/features/team/notes";

const lastNote = (notes: readonly NoteView[] | undefined, name: string) =>
  notes?.reduce<NoteView | null>(
    (last, note) => (note.name === name && !(last && last.seq > note.seq) ? note : last),
    null,
  )?.data;

/** The plan of the match's last turn that has one. */
export const lastPlan = ({ turns }: MatchRecord): PlanNote | undefined =>
  turns.map(({ notes }) => lastNote(notes, "team.plan/1")).findLast(Boolean) as PlanNote | undefined;

/** Whether the team waits for the person between two rounds. */
export function isPaused(record: MatchRecord): boolean {
  const turn = lastTurn(record);
  const end = lastNote(turn?.notes, "team.round/1") as RoundNote | undefined;
  return turn?.status === "completed" && end?.next === "pause";
}

const modelOf = (seat: SeatView) => seat.model?.name ?? seat.label;

export const SAYING: SayingWords = {
  words: MODE_STRINGS.inputs,
  seatName: (record, seat) => {
    const role = lastPlan(record)?.members.find((member) => member.seat === seat.name)?.role;
    return role ? MODE_STRINGS.expertAndModel(role, modelOf(seat)) : modelOf(seat);
  },
  usual: (record) => (isPaused(record) ? "add" : null),
};
