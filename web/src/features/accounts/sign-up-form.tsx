/** Makes an account of one's own; a guest who makes one keeps what is theirs. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signUp } from "@/api/accounts";
import { EntranceForm, PASSWORD_HINT, TextInput } from "@/features/accounts/entrance";

export function SignUpForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const make = useMutation({ mutationFn: () => signUp({ name, email, password }), onSuccess: onDone });
  return (
    <EntranceForm
      submit="Create account"
      busy={make.isPending}
      error={make.error}
      onSubmit={() => make.mutate()}
    >
      <TextInput label="Name" autoComplete="name" autoFocus value={name} onChange={setName} />
      <TextInput label="E-mail" type="email" autoComplete="username" value={email} onChange={setEmail} />
      <TextInput
        label="Password"
        hint={PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
    </EntranceForm>
  );
}
