/** A turn of a consortium as the page shows it: a pure function of the turn's replies and notes. */
import type { MatchView, ReplyView, TurnView } from "@/api/types";
import { type Member, membersOf, nameOf } from "@/features/consortium/members";
import type {
  AgreementNote,
  ConsortiumNotes,
  LeftOutNote,
  RankingNote,
  ResultNote,
  VerdictNote,
  WordsNote,
} from "@/features/consortium/notes";
import { readArbiterText, readMemberText } from "@/lib/read-tags";
import { latestNote, noteFinder } from "@/turn/latest-notes";
import { isUnfinished } from "@/turn/reduce-turn";

export interface MemberAnswer {
  member: Member;
  reply: ReplyView | undefined;
  writing: boolean;
  thoughts: string;
  answer: string;
  /** Undefined while it may still come; null where it was not given. */
  confidence: number | null | undefined;
  /** Why the arbiter does not see this answer. */
  leftOut: LeftOutNote["problem"] | null;
  /** It leaves the consortium after this round. */
  leaves: boolean;
}

export interface Judgement {
  reply: ReplyView | undefined;
  writing: boolean;
  synthesis: string;
  analysis: string;
  dissent: string;
  firstImpression: string;
  verdict: VerdictNote | null;
}

export type Stage = "answering" | "ranking" | "judging" | "judged" | "broken";

export interface Iteration {
  number: number;
  stage: Stage;
  answers: MemberAnswer[];
  agreement: AgreementNote | null;
  /** How much the consensus has changed since the round before. */
  change: number | null;
  words: WordsNote | null;
  ranking: RankingNote | null;
  judgement: Judgement;
}

export interface ConsortiumView {
  members: Member[];
  arbiter: string;
  iterations: Iteration[];
  running: boolean;
  threshold: number;
  most: number;
  /** It does not end before this round. */
  least: number;
  /** It ended before its time: stopped, or failed. */
  cut: boolean;
  /** Places are what this consortium goes by: its members are ranked, or leave. */
  ranks: boolean;
  /** Micro-dollars of all that was said; `unpriced` where some of it has no price. */
  costMicros: number;
  unpriced: boolean;
  /** What the rounds took so far; members of a round answer at once. */
  tookMs: number;
  result: ResultNote | null;
}

export function readConsortium(match: MatchView, turn: TurnView): ConsortiumView {
  const find = noteFinder<ConsortiumNotes>(turn.notes);
  const running = isUnfinished(turn.status);
  const members = membersOf(match, turn.index);
  const last = lastRound(turn);
  const gone = new Set<string>();
  const iterations: Iteration[] = [];
  for (let number = 1; number <= last; number += 1) {
    const replies = turn.replies.filter((reply) => reply.round === number);
    const seated = members.filter(
      ({ seat }) => !gone.has(seat) || replies.some((reply) => reply.seat === seat),
    );
    const iteration = readIteration(number, seated, replies, find, running);
    const before = iterations.at(-1)?.agreement?.consensus;
    const now = iteration.agreement?.consensus;
    if (typeof before === "number" && typeof now === "number") iteration.change = now - before;
    for (const seat of iteration.ranking?.eliminated ?? []) gone.add(seat);
    iterations.push(iteration);
  }
  const heard = turn.replies.filter((reply) => reply.round <= last);
  const brief = match.brief as Partial<Record<string, unknown>>;
  return {
    members,
    arbiter: nameOf(match.seats.find((seat) => seat.role === "arbiter")),
    iterations,
    running,
    threshold: typeof brief.confidence_threshold === "number" ? brief.confidence_threshold : 0.8,
    most: typeof brief.max_iterations === "number" ? brief.max_iterations : 3,
    least: typeof brief.minimum_iterations === "number" ? brief.minimum_iterations : 1,
    cut: !running && turn.status !== "completed",
    ranks:
      brief.strategy === "council" || brief.strategy === "elimination" || brief.judging_method === "rank",
    costMicros: heard.reduce((sum, reply) => sum + (reply.metrics?.cost_micros ?? 0), 0),
    unpriced: heard.some((reply) => reply.metrics?.cost_micros === null),
    tookMs: tookMs(heard),
    result: (latestNote(turn.notes, "consortium.result/1")?.data as ResultNote | undefined) ?? null,
  };
}

type Find = ReturnType<typeof noteFinder<ConsortiumNotes>>;

function readIteration(
  number: number,
  seated: readonly Member[],
  replies: readonly ReplyView[],
  find: Find,
  running: boolean,
): Iteration {
  const ranking = find("consortium.ranking/1", number)?.data ?? null;
  const agreement =
    find("consortium.agreement/1", number, "judged") ?? find("consortium.agreement/1", number);
  const answers = seated.map((member) =>
    readAnswer(
      member,
      number,
      replies.find(({ seat, purpose }) => seat === member.seat && purpose !== "ranking"),
      find,
      running,
      ranking,
    ),
  );
  const judge = replies.find((reply) => reply.purpose === "synthesis");
  const judgement = readJudgement(judge, find("consortium.verdict/1", number)?.data ?? null, running);
  const isRanking = replies.some((reply) => reply.purpose === "ranking");
  return {
    number,
    stage: judgement.verdict
      ? "judged"
      : !running
        ? "broken"
        : judge
          ? "judging"
          : isRanking
            ? "ranking"
            : "answering",
    answers,
    agreement: agreement?.data ?? null,
    change: null,
    words: find("consortium.words/1", number)?.data ?? null,
    ranking,
    judgement,
  };
}

const isWriting = (reply: ReplyView | undefined) =>
  reply?.status === "streaming" || reply?.status === "waiting";

function readAnswer(
  member: Member,
  number: number,
  reply: ReplyView | undefined,
  find: Find,
  running: boolean,
  ranking: RankingNote | null,
): MemberAnswer {
  const writing = running && isWriting(reply);
  const answered = find("consortium.answer/1", number, member.seat);
  const leftOut = find("consortium.left_out/1", number, member.seat);
  const read = answered ? null : readMemberText(reply?.text ?? "", writing);
  return {
    member,
    reply,
    writing,
    thoughts: answered?.data.thought_process ?? read?.thoughts ?? "",
    answer: answered?.data.answer ?? read?.answer ?? "",
    confidence: answered
      ? answered.data.confidence
      : (read?.confidence ?? (reply?.status === "completed" ? null : undefined)),
    // An answer that came later is no longer left out; one that was outvoted was there before.
    leftOut: leftOut && (!answered || leftOut.seq > answered.seq) ? leftOut.data.problem : null,
    leaves: ranking?.eliminated.includes(member.seat) ?? false,
  };
}

function readJudgement(
  reply: ReplyView | undefined,
  verdict: VerdictNote | null,
  running: boolean,
): Judgement {
  const writing = running && !verdict && isWriting(reply);
  const read = verdict ? null : readArbiterText(reply?.text ?? "", writing);
  return {
    reply,
    writing,
    synthesis: verdict?.synthesis ?? read?.synthesis ?? "",
    analysis: verdict?.analysis ?? read?.analysis ?? "",
    dissent: verdict?.dissent ?? read?.dissent ?? "",
    firstImpression: verdict?.first_impression ?? read?.firstImpression ?? "",
    verdict,
  };
}

/** Rounds that a new play has not come to are of before, and no longer hold. */
function lastRound(turn: TurnView): number {
  const begun = Math.max(turn.round, ...turn.notes.map((note) => note.round));
  return begun > 0 ? begun : Math.max(0, ...turn.replies.map((reply) => reply.round));
}

/** Of each step of a round the slowest reply counts, as the server reckons. */
function tookMs(replies: readonly ReplyView[]): number {
  const steps = new Map<string, number>();
  for (const { round, purpose, metrics } of replies) {
    const step = `${round} ${purpose}`;
    steps.set(step, Math.max(steps.get(step) ?? 0, metrics?.duration_ms ?? 0));
  }
  return [...steps.values()].reduce((sum, ms) => sum + ms, 0);
}
