/** How the composer speaks of a team: its experts by their roles, and what a text is while it pauses. Pure. */

import type { MatchRecord, SeatView } from "@/api/types";
import { type InputWords, lastTurn } from "@/features/arena/mode-feature";
import type { PlanNote, RoundNote } from "@/features/team/notes";
import { latestNote } from "@/turn/latest-notes";

const INPUTS = {
  ask: { label: "Ask one expert", placeholder: "Ask this expert…" },
  skip: { label: "Skip an expert", placeholder: "" },
  synthesise: { label: "Write synthesis now", placeholder: "" },
  steer: { label: "Steer", placeholder: "Give the team a direction…" },
  add: { label: "Add a fact", placeholder: "Tell the team a fact…" },
};

/** The plan of the match's last turn that has one. */
export const lastPlan = ({ turns }: MatchRecord): PlanNote | undefined =>
  turns.map(({ notes }) => latestNote(notes, "team.plan/1")?.data).findLast(Boolean) as PlanNote | undefined;

/** Whether the team waits for the person between two rounds. */
function isPaused(record: MatchRecord): boolean {
  const turn = lastTurn(record);
  const end = latestNote(turn?.notes ?? [], "team.round/1")?.data as RoundNote | undefined;
  return turn?.status === "completed" && end?.next === "pause";
}

const modelOf = (seat: SeatView) => seat.model?.name ?? seat.label;

export const INPUT_WORDS: InputWords = {
  words: INPUTS,
  seatName: (record, seat) => {
    const role = lastPlan(record)?.members.find((member) => member.seat === seat.name)?.role;
    return role ? `${role} · ${modelOf(seat)}` : modelOf(seat);
  },
  usual: (record) => (isPaused(record) ? "add" : null),
};
