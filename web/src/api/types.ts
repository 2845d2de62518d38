/** The wire's types, named as the server names them; generated from its OpenAPI document. */
import type { components } from "@/api/__generated__/schema";

type Schemas = components["schemas"];

export type About = Schemas["About"];
export type BallotView = Schemas["BallotView"];
export type Interjection = Schemas["Interjection"];
export type MatchRecord = Schemas["MatchRecord"];
export type MatchView = Schemas["MatchView"];
export type Metrics = Schemas["Metrics"];
export type ModeCard = Schemas["ModeCard"];
export type ModelCard = Schemas["ModelCard"];
export type NoteView = Schemas["NoteView"];
export type RatedSeat = Schemas["RatedSeat"];
export type ReplyPart = Schemas["ReplyPart"];
export type ReplyView = Schemas["ReplyView"];
export type SeatSettings = Schemas["SeatSettings"];
export type SeatView = Schemas["SeatView"];
export type SessionCard = Schemas["SessionCard"];
export type SessionPage = Schemas["SessionPage"];
export type SessionView = Schemas["SessionView"];
export type ToolCallView = Schemas["ToolCallView"];
export type TurnView = Schemas["TurnView"];
export type VoteView = Schemas["VoteView"];
export type TurnStatus = TurnView["status"];
