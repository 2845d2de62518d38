/** A browser and its system by their usual names, from what it says of itself. */

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const first = (agent: string, names: readonly [RegExp, string][]) =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** Such as “Firefox on Linux”; a program by its own first word. */
export function browserName(agent: string): string {
  const browser = first(agent, BROWSERS);
  const system = first(agent, SYSTEMS);
  if (browser) return system ? `${browser} on ${system}` : browser;
  return agent.split(/[\s/]/)[0] || "Unnamed program";
}
