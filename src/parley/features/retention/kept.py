"""Things stored without a rule of their own, and why: everything that is stored has a rule or is named here."""

from collections.abc import Sequence

import msgspec


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Things without a rule. `why` is a sentence for people; `days`: they go by themselves after so many days."""

    nouns: str
    why: str
    days: int | None = None
    tables: Sequence[str] = ()


RULED = {
    "sessions": (
        *(
            "sessions",
            "session_tags",
            "matches",
            "seats",
            "turns",
            "turn_events",
            "replies",
            "reply_attempts",
        ),
        *("turn_attachments", "search_texts", "search_replies", "ended_turns", "asset_tags"),
        *("tool_grants", "tool_runs", "auto_decisions", "auto_lessons", "sealed_sessions"),
    ),
    "library": ("assets",),
    "vote-reasons": (),
    "lab-runs": (
        *("lab_runs", "lab_improvements", "lab_candidates", "lab_reflections"),
        *("lab_trials", "lab_outputs", "lab_scores"),
    ),
    "moderated": ("moderation_items",),
}
"""The tables of the kinds that have a rule; what belongs to a session goes with it, results of tools too."""

KEPT: Sequence[Kept] = (
    Kept(
        nouns="Votes",
        why="The ratings are made of them. They outlive their session without texts, under a pseudonym. Who deletes "
        "their data leaves them without a reason.",
        tables=("votes", "imports", "imported_votes"),
    ),
    Kept(
        nouns="Ratings and their history",
        why="Sums over votes, which name no person.",
        tables=(
            *("elo", "pair_counts", "latency_counts", "uncounted_counts", "model_use", "model_stats"),
            *("rating_history", "public_priors", "worker_status", "voter_flags"),
        ),
    ),
    Kept(
        nouns="The audit log",
        why="It is a chain of hashes, and a chain from which something was taken proves nothing any more.",
        tables=("audit_log", "audit_head"),
    ),
    Kept(
        nouns="Calls and usage",
        why="What providers bill, without any text. Who deletes their data is taken out, and the sums stay.",
        tables=("calls", "usage_hours", "usage_cursor", "usage_stale"),
    ),
    Kept(
        nouns="Unused files",
        why="Files of deleted conversations and uploads, so that a restored database still has them.",
        days=7,
        tables=("attachments", "unused_blobs", "blob_folders"),
    ),
    Kept(
        nouns="Answers of the Responses API",
        why="A later request can follow on from them.",
        days=30,
        tables=("api_responses",),
    ),
    Kept(
        nouns="Sign-ins",
        why="A browser stays signed in that long after it was last used.",
        days=30,
        tables=("logins", "refresh_tokens"),
    ),
    Kept(
        nouns="Receipts of requests",
        why="A request that is sent again gets the same answer.",
        days=1,
        tables=("receipts", "jobs", "job_steps", "replicas", "turn_orders"),
    ),
    Kept(
        nouns="Accounts, workspaces and keys",
        why="They exist until their owner or an administrator deletes them.",
        tables=(
            *(
                "users",
                "accounts",
                "links",
                "identities",
                "credentials",
                "sign_in_rules",
                "workspaces",
                "members",
            ),
            *("api_keys", "own_keys", "tool_sign_ins"),
        ),
    ),
    Kept(
        nouns="What people set up",
        why="Presets, prompts, data sets, plug-ins, preferences, passports of judges: each person deletes their own.",
        tables=(
            *(
                "presets",
                "prompts",
                "prompt_versions",
                "prompt_labels",
                "lab_datasets",
                "lab_rows",
                "lab_judges",
            ),
            *("preferences", "tool_choices", "auto_policies", "plug_ins"),
        ),
    ),
    Kept(
        nouns="Settings of this Parley",
        why="Models, providers, limits and rules name no person's texts. Counters of limits go after 400 days.",
        tables=(
            *("models", "providers", "pool_choices", "kept_models", "retention_rules", "moderation_rules"),
            *("allowances", "request_rates", "allowance_periods", "allowance_grants"),
        ),
    ),
    Kept(
        nouns="The server's log",
        why="Parley writes it to its standard output and stores none. Who runs it decides.",
    ),
    Kept(nouns="Backups and exports", why="Files that somebody wrote elsewhere. Delete them there."),
)
