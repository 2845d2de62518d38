/** Who is signed in, one's own account, and everybody's. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type Person = Schemas["PersonView"];
export type Invitation = Schemas["LinkView"];
export type Role = Person["role"];

export const loginsQuery = queryOptions({
  queryKey: ["me", "logins"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/me/logins", { signal }))).logins,
});

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/people", { signal })),
});

export const signIn = (body: Schemas["SignIn"]) => answerOf(api.POST("/api/auth/login", { body }));
export const signUp = (body: Schemas["NewAccount"]) => answerOf(api.POST("/api/auth/sign-up", { body }));
export const enterAsGuest = () => answerOf(api.POST("/api/auth/guest"));
export const signOut = () => answerOf(api.POST("/api/auth/logout"));
export const lookAtLink = (token: string) => answerOf(api.POST("/api/auth/link", { body: { token } }));
export const acceptLink = (body: Schemas["UseLink"]) => answerOf(api.POST("/api/auth/link/use", { body }));

export const changeMe = (body: Schemas["ChangeMe"]) => answerOf(api.PATCH("/api/me", { body }));
export const changePassword = (body: Schemas["ChangePassword"]) =>
  answerOf(api.PUT("/api/me/password", { body }));
export const deleteMe = (password: string) => answerOf(api.POST("/api/me/delete", { body: { password } }));
export const endLogin = (login_id: string) =>
  answerOf(api.DELETE("/api/me/logins/{login_id}", { params: { path: { login_id } } }));
export const endOtherLogins = () => answerOf(api.DELETE("/api/me/logins"));

export const rulesQuery = queryOptions({
  queryKey: ["people", "rules"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/people/rules", { signal })),
});
export const changeRules = (body: Schemas["SignInRules"]) => answerOf(api.PUT("/api/people/rules", { body }));

export const invite = (body: Schemas["Invite"]) => answerOf(api.POST("/api/people/invitations", { body }));
export const revokeInvitation = (link_id: string) =>
  answerOf(api.DELETE("/api/people/invitations/{link_id}", { params: { path: { link_id } } }));
export const changePerson = (person_id: string, body: Schemas["ChangePerson"]) =>
  answerOf(api.PATCH("/api/people/{person_id}", { params: { path: { person_id } }, body }));
export const resetPassword = (person_id: string) =>
  answerOf(api.POST("/api/people/{person_id}/reset", { params: { path: { person_id } } }));

export type Workspace = Schemas["WorkspaceView"];
export type SpaceRole = Workspace["role"];
export type Share = Schemas["ShareView"];

const workspace = (workspace_id: string) => ({ params: { path: { workspace_id } } });

export const createWorkspace = (name: string) => answerOf(api.POST("/api/workspaces", { body: { name } }));
export const renameWorkspace = (id: string, name: string) =>
  answerOf(api.PATCH("/api/workspaces/{workspace_id}", { ...workspace(id), body: { name } }));
export const deleteWorkspace = (id: string) =>
  answerOf(api.DELETE("/api/workspaces/{workspace_id}", workspace(id)));
export const putMember = (id: string, body: Schemas["AddMember"]) =>
  answerOf(api.PUT("/api/workspaces/{workspace_id}/members", { ...workspace(id), body }));
export const removeMember = (workspace_id: string, member_id: string) =>
  answerOf(
    api.DELETE("/api/workspaces/{workspace_id}/members/{member_id}", {
      params: { path: { workspace_id, member_id } },
    }),
  );

const session = (session_id: string) => ({ params: { path: { session_id } } });

export const workspaceOf = async (id: string) =>
  (await answerOf(api.GET("/api/workspaces/of/{session_id}", session(id)))).workspace_id;
export const moveSession = (id: string, workspace_id: string | null) =>
  answerOf(api.POST("/api/workspaces/of/{session_id}", { ...session(id), body: { workspace_id } }));

export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["shares", id],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/sessions/{session_id}/shares", { ...session(id), signal }))).shares,
  });
export const shareSession = (id: string, body: Schemas["ShareSession"]) =>
  answerOf(api.POST("/api/sessions/{session_id}/shares", { ...session(id), body }));
export const revokeShare = (session_id: string, link_id: string) =>
  answerOf(
    api.DELETE("/api/sessions/{session_id}/shares/{link_id}", { params: { path: { session_id, link_id } } }),
  );

export const copyShared = async (token: string) =>
  (await answerOf(api.POST("/api/shared/copy", { body: { token } }))).session_id;

export const factorsQuery = queryOptions({
  queryKey: ["me", "factors"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/factors", { signal })),
});

export const enterCode = (body: Schemas["SecondFactor"]) => answerOf(api.POST("/api/auth/code", { body }));
export const passkeyOptions = () => answerOf(api.POST("/api/auth/passkey/options"));
export const enterWithPasskey = (body: Schemas["AnswerPasskey"]) =>
  answerOf(api.POST("/api/auth/passkey", { body }));
export const newApp = (password: string) => answerOf(api.POST("/api/me/app", { body: { password } }));
export const confirmApp = (code: string) => answerOf(api.POST("/api/me/app/confirm", { body: { code } }));
export const removeApp = (password: string) =>
  answerOf(api.POST("/api/me/app/remove", { body: { password } }));
export const newPasskeyOptions = (password: string) =>
  answerOf(api.POST("/api/me/passkeys/options", { body: { password } }));
export const addPasskey = (body: Schemas["AddPasskey"]) => answerOf(api.POST("/api/me/passkeys", { body }));
export const removePasskey = (passkey_id: string) =>
  answerOf(api.DELETE("/api/me/passkeys/{passkey_id}", { params: { path: { passkey_id } } }));
export const removeFactors = (person_id: string) =>
  answerOf(api.DELETE("/api/people/{person_id}/factors", { params: { path: { person_id } } }));
