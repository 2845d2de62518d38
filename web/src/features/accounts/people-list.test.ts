import { expect, test } from "vitest";
import type { Person } from "@/api/accounts";
import { countPeople, findPeople } from "@/features/accounts/people-list";

const person = (name: string, more: Partial<Person> = {}): Person => ({
  id: name,
  name,
  email: `${name.toLowerCase()}@example.org`,
  role: "member",
  created_at: "2026-11-01T00:00:00Z",
  seen_at: null,
  disabled_at: null,
  ...more,
});

const PEOPLE = [
  person("Ana", { role: "administrator" }),
  person("Zoë"),
  person("Guest", { role: "guest", email: null }),
  person("Karim", { role: "administrator", disabled_at: "2026-11-03T00:00:00Z" }),
];

test("people are counted by kind, and those who are disabled apart", () => {
  expect(countPeople(PEOPLE)).toEqual({ people: 2, administrators: 1, guests: 1, disabled: 1 });
});

test("a search finds names and addresses within a kind, whatever their case", () => {
  const found = (search: string) => findPeople(PEOPLE, "people", search).map(({ name }) => name);
  expect(found("")).toEqual(["Ana", "Zoë"]);
  expect(found("ZOË")).toEqual(["Zoë"]);
  expect(found(" ana@")).toEqual(["Ana"]);
  expect(found("karim")).toEqual([]);
});
