/** A question to a team and all its turns as the page shows them: a pure function of replies, notes and inputs. */

import type { Interjection, MatchView, ModelCard, ReplyView, TurnView } from "@/api/types";
import { seatColor } from "@/features/lineup/seat-colors";
import type {
  ChoiceNote,
  PlanNote,
  RoundNote,
  SaidNote,
  Spent,
  SynthesisNote,
  TeamNotes,
} from "@/features/team/notes";
import { type Answer, answersOf } from "@/features/tools/steps";
import { noteFinder } from "@/turn/latest-notes";
import { isUnfinished } from "@/turn/reduce-turn";

export interface Expert {
  seat: string;
  role: string;
  /** The model's name. */
  name: string;
  color: string;
  model?: ModelCard | null;
}

/** What the person said besides the question. */
export interface PersonSaid {
  id: string;
  input: Interjection["input"];
  /** When, as the server writes times. */
  at: string;
}

export interface Statement {
  /** "2.1": its round and its place in it. */
  ref: string;
  expert: Expert;
  reply: ReplyView;
  /** The way to it, where it called tools. */
  way: ReplyView[];
  turn: TurnView;
  writing: boolean;
  /** Null until it has ended. */
  said: SaidNote | null;
}

export interface Round {
  number: number;
  kind: RoundNote["kind"];
  /** What the person had said when it began. */
  heard: PersonSaid[];
  /** A moderator chooses, or has chosen, who speaks. */
  choice: { note: ChoiceNote | null; reply: ReplyView | undefined; expert: Expert } | null;
  statements: Statement[];
  synthesis: Synthesis | null;
  end: RoundNote | null;
}

export interface Synthesis {
  expert: Expert;
  reply: ReplyView;
  turn: TurnView;
  writing: boolean;
  note: SynthesisNote | null;
}

/** The rounds of one turn. */
export interface TurnRounds {
  turn: TurnView;
  rounds: Round[];
}

export interface TeamView {
  /** The first turn's id: what the places of the question are named by. */
  id: string;
  turns: TurnRounds[];
  rounds: Round[];
  experts: Expert[];
  plan: PlanNote | null;
  /** The newest one, which may be followed by further rounds. */
  synthesis: Synthesis | null;
  /** What no round has heard yet. */
  waiting: PersonSaid[];
  running: boolean;
  paused: boolean;
  /** The end of the last round that has one. */
  end: RoundNote | null;
  spent: Spent | null;
  tookMs: number;
}

/** The turns of a match by question: each begins with a prompt, and what continues it follows. */
export function questionsOf(turns: readonly TurnView[]): TurnView[][] {
  const questions: TurnView[][] = [];
  for (const turn of turns) {
    const last = questions.at(-1);
    if (last && turn.input.type !== "prompt") last.push(turn);
    else questions.push([turn]);
  }
  return questions;
}

export function readTeam(match: MatchView, turns: readonly TurnView[]): TeamView {
  const finders = turns.map((turn) => noteFinder<TeamNotes>(turn.notes));
  const plan = finders.findLast((find) => find("team.plan/1", 0))?.("team.plan/1", 0)?.data ?? null;
  const experts = expertsOf(match, plan);
  const byTurn = turns.map((turn, index) => ({
    turn,
    rounds: numbersOf(turn).map((number) => readRound(number, turn, finders[index] as Find, experts)),
  }));
  const rounds = byTurn.flatMap((each) => each.rounds);
  const waiting = placeWords(byTurn);
  const last = turns.at(-1);
  const end = rounds.findLast((round) => round.end)?.end ?? null;
  return {
    id: turns[0]?.id ?? "",
    turns: byTurn,
    rounds,
    experts,
    plan,
    synthesis: rounds.findLast((round) => round.synthesis)?.synthesis ?? null,
    waiting,
    running: last !== undefined && isUnfinished(last.status),
    paused: last?.status === "completed" && end?.next === "pause",
    end,
    spent: end?.spent ?? null,
    tookMs: rounds.reduce((sum, round) => sum + tookMs(round), 0),
  };
}

type Find = ReturnType<typeof noteFinder<TeamNotes>>;

function expertsOf(match: MatchView, plan: PlanNote | null): Expert[] {
  const roles = new Map(plan?.members.map(({ seat, role }) => [seat, role]));
  return match.seats.map((seat, index) => ({
    seat: seat.name,
    role: roles.get(seat.name) ?? seat.label,
    name: seat.model?.name ?? seat.label,
    color: seatColor(index),
    model: seat.model,
  }));
}

/** A turn that pauses announces one round more than it plays, so rounds are known by what was said in them. */
function numbersOf(turn: TurnView): number[] {
  const numbers = new Set(turn.replies.map(({ round }) => round));
  for (const { name, round } of turn.notes) if (name !== "team.plan/1") numbers.add(round);
  numbers.delete(0);
  return [...numbers].sort((a, b) => a - b);
}

const isWriting = (reply: ReplyView) => reply.status === "streaming" || reply.status === "waiting";

function readRound(number: number, turn: TurnView, find: Find, experts: readonly Expert[]): Round {
  const running = isUnfinished(turn.status);
  const replies = turn.replies.filter(({ round }) => round === number).sort((a, b) => a.order - b.order);
  const expertOf = (seat: string) =>
    experts.find((expert) => expert.seat === seat) ?? { seat, role: seat, name: seat, color: seatColor(0) };
  const said = new Map(
    turn.notes
      .filter((note) => note.name === "team.said/1" && note.round === number)
      .map(({ key }) => find("team.said/1", number, key)?.data)
      .flatMap((note) => (note ? [[note.reply_id, note] as const] : [])),
  );
  const speaking = answersOf(replies).filter(
    ({ reply: { purpose } }) => purpose !== "choose" && purpose !== "synthesis",
  );
  const writer = replies.findLast(({ purpose }) => purpose === "synthesis");
  const choosing = replies.findLast(({ purpose }) => purpose === "choose");
  const choice = find("team.choice/1", number)?.data ?? null;
  const end = find("team.round/1", number)?.data ?? null;
  const chooser = choice?.seat ?? choosing?.seat;
  return {
    number,
    kind: end?.kind ?? kindOf(speaking, writer !== undefined),
    heard: [],
    choice: chooser === undefined ? null : { note: choice, reply: choosing, expert: expertOf(chooser) },
    statements: speaking.map(({ reply, steps }, index) => {
      const note = said.get(reply.id) ?? null;
      return {
        ref: note?.ref ?? `${number}.${index + 1}`,
        expert: expertOf(reply.seat),
        reply,
        way: steps.length > 1 || turn.tools?.[0] ? steps : [],
        turn,
        writing: running && isWriting(reply),
        said: note,
      };
    }),
    synthesis: writer
      ? {
          expert: expertOf(writer.seat),
          reply: writer,
          turn,
          writing: running && isWriting(writer),
          note: find("team.synthesis/1", number)?.data ?? null,
        }
      : null,
    end,
  };
}

const kindOf = (speaking: readonly Answer[], concludes: boolean): RoundNote["kind"] =>
  concludes ? "synthesis" : speaking.some(({ reply }) => reply.purpose === "asked") ? "asked" : "planned";

/** Puts what the person said before the round that heard it; returns what none has heard. */
function placeWords(turns: readonly TurnRounds[]): PersonSaid[] {
  const rounds = turns.flatMap((each) => each.rounds);
  const waiting: PersonSaid[] = [];
  for (const { turn, rounds: own } of turns) {
    if (turn.input.type !== "prompt") {
      const said = { id: turn.id, input: turn.input, at: turn.created_at };
      (own[0]?.heard ?? waiting).push(said);
    }
    for (const { id, input, created_at, round } of turn.interjections) {
      const heard = round === null ? undefined : rounds.find(({ number }) => number >= round);
      (heard?.heard ?? waiting).push({ id, input, at: created_at });
    }
  }
  for (const { heard } of rounds) heard.sort((a, b) => (a.at < b.at ? -1 : 1));
  return waiting;
}

/** The tasks in which one speaks after the other; in all others they speak at once. */
const IN_TURN = new Set(["speak", "oppose", "rule", "choose"]);

/** What a round's statements are made of: steps one after the other, each with those who speak at once. */
export function stepsOf(statements: readonly Statement[]): Statement[][] {
  const steps: Statement[][] = [];
  for (const statement of statements) {
    const { purpose } = statement.reply;
    const last = steps.at(-1);
    if (last && last[0]?.reply.purpose === purpose && !IN_TURN.has(purpose)) last.push(statement);
    else steps.push([statement]);
  }
  return steps;
}

const durationOf = (reply: ReplyView | undefined) => reply?.metrics?.duration_ms ?? 0;

/** Those who speak at once take as long as the slowest. */
export const tookMs = ({ choice, statements, synthesis }: Round): number =>
  stepsOf(statements).reduce(
    (sum, step) => sum + Math.max(...step.map(({ reply }) => durationOf(reply))),
    durationOf(choice?.reply) + durationOf(synthesis?.reply),
  );
