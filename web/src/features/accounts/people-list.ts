/** Which people a list shows: one kind of them, and those whom a search finds. Pure. */
import type { Person } from "@/api/accounts";
import { fold } from "@/lib/fold";

export const KINDS = ["people", "administrators", "guests", "disabled"] as const;
export type Kind = (typeof KINDS)[number];

const isOf: Record<Kind, (person: Person) => boolean> = {
  people: ({ role, disabled_at }) => role !== "guest" && disabled_at === null,
  administrators: ({ role, disabled_at }) => role === "administrator" && disabled_at === null,
  guests: ({ role, disabled_at }) => role === "guest" && disabled_at === null,
  disabled: ({ disabled_at }) => disabled_at !== null,
};

/** How many there are of each kind. */
export const countPeople = (people: readonly Person[]): Record<Kind, number> =>
  Object.fromEntries(KINDS.map((kind) => [kind, people.filter(isOf[kind]).length])) as Record<Kind, number>;

export function findPeople(people: readonly Person[], kind: Kind, search: string): Person[] {
  const wanted = fold(search.trim()).text;
  return people.filter(
    (person) => isOf[kind](person) && fold(`${person.name} ${person.email ?? ""}`).text.includes(wanted),
  );
}
