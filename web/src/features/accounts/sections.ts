/** The sections of the settings about people; without accounts most have no rows, and so are hidden. */
import type { SettingsSection } from "@/components/area";
import { AccountRows } from "@/features/accounts/account-rows";
import { FactorRows } from "@/features/accounts/factor-rows";
import { KeyRows } from "@/features/accounts/key-rows";
import { LoginRows } from "@/features/accounts/login-rows";
import { PeopleRows } from "@/features/accounts/people-rows";
import { ProviderKeyRows } from "@/features/accounts/provider-keys";
import { RuleRows } from "@/features/accounts/rule-rows";
import { WorkspaceRows } from "@/features/accounts/workspace-rows";

export const SECTIONS: readonly SettingsSection[] = [
  { id: "account", title: "Account", order: 1, Rows: AccountRows },
  {
    id: "security",
    title: "Security",
    about: "How you sign in to your account.",
    order: 2,
    Rows: FactorRows,
  },
  {
    id: "devices",
    title: "Devices",
    about: "The browsers where you are signed in. End those that you don’t know.",
    order: 3,
    Rows: LoginRows,
  },
  {
    id: "workspaces",
    title: "Workspaces",
    about: "What you ask in a workspace belongs to it.",
    order: 4,
    Rows: WorkspaceRows,
  },
  {
    id: "provider-keys",
    title: "Provider keys",
    about: "Your own keys for the providers here. Your questions use them and are billed to them.",
    order: 4.5,
    Rows: ProviderKeyRows,
  },
  {
    id: "people",
    title: "People",
    about: "Everybody who may sign in. An invitation is a link that works once.",
    order: 5,
    Rows: PeopleRows,
  },
  {
    id: "rules",
    title: "Sign-in rules",
    about: "What everyone who signs in must have. Turn a rule on once you meet it yourself.",
    order: 5.5,
    Rows: RuleRows,
  },
  {
    id: "keys",
    title: "API keys",
    about: "Other programs use these models as they use OpenAI’s.",
    order: 50,
    Rows: KeyRows,
  },
];
