import { expect, test } from "vitest";
import type { OwnKey } from "@/api/own-keys";
import { aboutOf } from "@/features/accounts/provider-keys";

const lab: OwnKey = {
  provider_id: "lab",
  name: "Lab",
  origin: "https://lab.example.org:443",
  shared_key: true,
  last_four: null,
  created_at: null,
  is_used: false,
};

test("a row says whose key is used now", () => {
  expect(aboutOf(lab, false)).toBe("The installation’s key is used.");
  expect(aboutOf({ ...lab, shared_key: false }, false)).toBe("Needs a key of your own.");
  expect(aboutOf({ ...lab, last_four: "1234", is_used: true }, false)).toBe("Your key …1234 is used.");
  expect(aboutOf({ ...lab, last_four: "1234", is_used: true }, true)).toBe(
    "The workspace’s key …1234 is used.",
  );
});

test("a key for an address that the provider has left is said not to be sent", () => {
  expect(aboutOf({ ...lab, last_four: "1234" }, false)).toContain(
    "is not sent, because the provider has moved",
  );
});
