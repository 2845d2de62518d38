/** The standings on the wire, named as the server names them; generated from its OpenAPI document. */
import type { components } from "@/api/__generated__/schema";

type Schemas = components["schemas"];

export type BoardPrior = Schemas["BoardPrior"];
export type CategoryCard = Schemas["CategoryCard"];
export type CategoryStanding = Schemas["CategoryStanding"];
export type EvidencePoint = Schemas["EvidencePoint"];
export type ExclusionEffect = Schemas["ExclusionEffect"];
export type DecisionView = Schemas["DecisionView"];
export type FlaggedVoter = Schemas["FlaggedVoter"];
export type HeadToHead = Schemas["HeadToHead"];
export type Leaderboard = Schemas["Leaderboard"];
export type LeaderboardLine = Schemas["LeaderboardLine"];
export type ModelHistory = Schemas["ModelHistory"];
export type EnsembleWorth = Schemas["EnsembleWorth"];
export type ModelStatsView = Schemas["ModelStatsView"];
export type ModelUse = Schemas["ModelUse"];
export type PairCell = Schemas["PairCell"];
export type RecentBattle = Schemas["RecentBattle"];
export type Preferences = Schemas["Preferences"];
export type StandingsEvent = Schemas["StandingsEvent"];
export type RatingShift = Schemas["RatingShift"];
export type SideEffect = Schemas["SideEffect"];
export type StyleEffect = Schemas["StyleEffect"];
export type WeightedRatings = Schemas["WeightedRatings"];
export type TopStability = Schemas["TopStability"];
export type Uncounted = Schemas["Uncounted"];
export type VoteHealth = Schemas["VoteHealth"];
export type VoterLine = Schemas["VoterLine"];
export type WorkerView = Schemas["WorkerView"];
export type Method = Leaderboard["method"];
