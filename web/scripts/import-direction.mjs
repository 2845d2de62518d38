// Imports go one way: routes → features → turn → api, components → ui → lib, and never in a circle. Areas and modes are found
// by their names and imported by nobody. Files stay under 250 lines.
import { readdirSync, readFileSync } from "node:fs";

const src = new URL("../src/", import.meta.url);
const FLOORS = { routes: 5, features: 4, turn: 3, api: 2, components: 2, ui: 1, lib: 0 };
const MAX_LINES = 250;
const SHARED = [
  "accounts",
  "arena",
  "auto",
  "limits",
  "lineup",
  "panels",
  "providers",
  "rounds",
  "standings",
  "prompts",
  "tools",
];
const faults = [];
/** What each file imports when it is loaded, without its ending. */
const imports = new Map();

for (const name of readdirSync(src, { recursive: true })) {
  if (!/\.tsx?$/.test(name) || name.includes("__generated__")) continue;
  const text = readFileSync(new URL(name, src), "utf8");
  const lines = text.split("\n").length;
  if (lines > MAX_LINES && !name.includes(".test.")) faults.push(`${name} has ${lines} lines`);
  const loaded = [...text.matchAll(/^(?:import|export)[^;]*?from "@\/([^"]+)"/gm)].map(
    ([, target]) => target,
  );
  imports.set(name.replace(/\.tsx?$/, ""), loaded);
  const [floor, room] = name.split("/");
  if (!(floor in FLOORS)) continue;
  for (const [, target] of text.matchAll(/(?:from|import\()\s*"(@\/[^"]+|\.\.?\/[^"]+)"/g)) {
    if (target.startsWith(".")) {
      faults.push(`${name}: write ${target} as @/…`);
      continue;
    }
    const [, to, toRoom, file] = target.split("/");
    if (to === "features" && (file === "area" || file === "mode")) faults.push(`${name} imports ${target}`);
    if (FLOORS[to] > FLOORS[floor] || (FLOORS[to] === FLOORS[floor] && to !== floor)) {
      faults.push(`${name} imports ${target}: ${floor} stands below ${to}`);
    }
    // Features are strangers to each other; they share the accounts, the arena, the line-up, the panels, the providers, the rounds,
    // the standings, the limits, the prompts, Auto and the tools, and the shell holds them together.
    const shared = SHARED.includes(toRoom) || toRoom === room || room === "shell";
    if (floor === "features" && to === "features" && !shared)
      faults.push(`${name} imports another feature: ${target}`);
  }
}

const done = new Set();

/** Follows imports from a file; what is on the way already closes a circle. */
function follow(file, way) {
  const start = way.indexOf(file);
  if (start >= 0) faults.push(`a circle: ${[...way.slice(start), file].join(" → ")}`);
  if (start >= 0 || done.has(file)) return;
  for (const target of imports.get(file) ?? []) follow(target, [...way, file]);
  done.add(file);
}

for (const file of imports.keys()) follow(file, []);

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log("Imports go one way.");
