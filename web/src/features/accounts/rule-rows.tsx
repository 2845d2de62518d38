/** What is demanded of everybody who signs in, for administrators. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeRules, rulesQuery } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { OnOff, Setting } from "@/components/setting";
import { Problem } from "@/features/accounts/entrance";

export function RuleRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.may_manage ? <Rows /> : null;
}

function Rows() {
  const client = useQueryClient();
  const { data } = useQuery(rulesQuery);
  const change = useMutation({
    mutationFn: changeRules,
    onSuccess: (rules) => client.setQueryData(rulesQuery.queryKey, rules),
  });
  if (!data) return null;
  const { second_factor, providers_only, has_providers } = data;
  return (
    <>
      <Setting
        name="Second factor"
        about="Everyone with a password also needs a passkey or an app with codes. Who has neither is asked to add one. API keys keep working."
      >
        <OnOff
          label="Require a second factor"
          on={second_factor}
          onChange={(on) => change.mutate({ second_factor: on, providers_only })}
        />
      </Setting>
      {has_providers && (
        <Setting
          name="Providers only"
          about="Nobody signs in with a password or passkey. Whoever is signed in stays signed in. A link from “parley users reset-password” on the server still lets an administrator in."
        >
          <OnOff
            label="Sign in with providers only"
            on={providers_only}
            onChange={(on) => change.mutate({ second_factor, providers_only: on })}
          />
        </Setting>
      )}
      {change.error && (
        <div className="px-4 py-3">
          <Problem error={change.error} />
        </div>
      )}
    </>
  );
}
