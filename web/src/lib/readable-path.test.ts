import { createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { describe, expect, it } from "vitest";
import { decoded, withReadablePath } from "@/lib/readable-path";

const rewritten = (path: string) => withReadablePath(new URL(path, "http://127.0.0.1:8400")).pathname;

describe("an address with percent signs that encode nothing", () => {
  it.each(["/s/%E0%A4%A", "/s/%", "/%ff/x", "/s/%zz/%C3%28", "/nowhere/%E0"])("%s can be decoded", (path) => {
    expect(() => decodeURIComponent(rewritten(path))).not.toThrow();
  });

  it.each(["/s/abc", "/s/%E4%BD%A0", "/models/a%2Fb", "/"])("%s stays as it is", (path) => {
    expect(rewritten(path)).toBe(new URL(path, "http://127.0.0.1:8400").pathname);
  });

  it.each([
    ["No%20account%20%E2%80%94%20ask", "No account — ask"],
    ["%E0%A4%A", "%E0%A4%A"],
    ["100%", "100%"],
  ])("%s behind a hash is read as %s", (part, words) => {
    expect(decoded(part)).toBe(words);
  });

  it("is matched by the router like any other", () => {
    const root = createRootRoute();
    const page = createRoute({ getParentRoute: () => root, path: "/s/$id" });
    const router = createRouter({
      routeTree: root.addChildren([page]),
      history: createMemoryHistory({ initialEntries: ["/s/%E0%A4%A"] }),
      rewrite: { input: ({ url }) => withReadablePath(url) },
    });
    expect(router.matchRoutes(router.latestLocation).at(-1)?.params).toEqual({ id: "%E0%A4%A" });
  });
});
