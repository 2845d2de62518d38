import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { type Column, Table, type TableProps } from "@/components/table";

interface Planet {
  name: string;
  moons: number;
  rings: number | null;
}

const COLUMNS: readonly Column<Planet, "name" | "moons">[] = [
  { header: "Planet", cell: (planet) => planet.name, sort: "name", names: true },
  { header: "Moons", hint: "Known ones", cell: (planet) => planet.moons, sort: "moons", figures: true },
  { header: "Rings", cell: (planet) => planet.rings, blank: (planet) => planet.rings === null, narrow: "md" },
];

const EARTH = { name: "Earth", moons: 1, rings: null };
const SATURN = { name: "Saturn", moons: 274, rings: 7 };

type Props = Partial<TableProps<Planet, "name" | "moons">>;
const draw = (props: Props) =>
  renderToStaticMarkup(
    <Table
      label="Planets"
      columns={COLUMNS}
      rows={[EARTH, SATURN]}
      rowKey={(planet) => planet.name}
      {...props}
    />,
  );
const heads = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, head = ""]) =>
    head.replace(/<[^>]*>/g, ""),
  );

test("a row has its name as its header and a cell per column, in the order of the rows", () => {
  const html = draw({});
  expect(html).toContain('<table aria-label="Planets"');
  expect(heads(html)).toEqual(["Planet", "Moons", "Rings"]);
  expect(html).toMatch(/<th [^>]*scope="row"[^>]*>Earth<\/th>.*<th [^>]*scope="row"[^>]*>Saturn<\/th>/);
});

test("a header's hint comes with the pointer and with the keyboard, whether or not it sorts", () => {
  expect(draw({})).toMatch(/<span [^>]*data-tooltip="Known ones"[^>]*tabindex="0">Moons/);
  const sorted = draw({ sort: { by: "moons", order: "desc", onSort: vi.fn() } });
  expect(sorted).toMatch(/<button [^>]*data-tooltip="Known ones"/);
});

test("a drawn heading leaves the header to screen readers", () => {
  const html = draw({ columns: [{ header: "Axis", heading: <i>0 50 100</i>, cell: () => "" }] });
  expect(html).toMatch(/<span class="sr-only">Axis<\/span><i>0 50 100<\/i>/);
});

test("only the header by which the rows are sorted says so, and in which order", () => {
  const html = draw({ sort: { by: "moons", order: "desc", onSort: vi.fn() } });
  expect(html.match(/aria-sort="\w+"/g)).toEqual(['aria-sort="descending"']);
  expect(html).toMatch(/aria-sort="descending"[^>]*><button [^>]*data-tooltip="Known ones"/);
});

test("a column can be sorted by its header where it names a key and the table sorts", () => {
  const buttons = (html: string) => html.match(/<button/g)?.length ?? 0;
  expect(buttons(draw({ sort: { by: "name", order: "asc", onSort: vi.fn() } }))).toBe(2);
  expect(buttons(draw({}))).toBe(0);
});

test("a column without any value hides and is named below; with one value it stays", () => {
  const html = draw({ rows: [EARTH] });
  expect(heads(html)).toEqual(["Planet", "Moons"]);
  expect(html).toContain("No values yet: Rings");
  expect(draw({})).not.toContain("No values yet");
});

test("a column hides with its header where a fixed table is narrow; others are as wide as their content", () => {
  expect(draw({ fixed: true }).match(/@max-md:hidden/g)).toHaveLength(3);
  expect(draw({ fixed: true })).toMatch(/^<div class="@container"/);
  for (const other of [{}, { scroll: "max-h-48" }]) expect(draw(other)).not.toContain("@container");
});

test("a table without rows says what it is given for that, and one that loads is a placeholder", () => {
  expect(draw({ rows: [], empty: "No planets yet" })).toContain("No planets yet");
  expect(draw({ rows: [], empty: "No planets yet" })).not.toContain("<table");
  expect(draw({ rows: undefined, empty: "No planets yet" })).toMatch(/^<div aria-hidden="true"/);
});

test("a row that can be picked has a named box, ticked where it is", () => {
  const html = draw({
    selection: {
      header: "Compare",
      labelOf: ({ name }) => `Compare ${name}`,
      picked: ["Saturn"],
      onPick: vi.fn(),
    },
  });
  expect(heads(html)).toEqual(["Compare", "Planet", "Moons", "Rings"]);
  expect(html.match(/aria-label="Compare \w+"/g)).toHaveLength(2);
  expect(html).toMatch(
    /aria-label="Compare Saturn"[^>]*checked=""|checked=""[^>]*aria-label="Compare Saturn"/,
  );
});

test("a table that scrolls by itself is a named part of the page that the keyboard reaches", () => {
  expect(draw({ scroll: "max-h-48" })).toMatch(/^<div role="group" aria-label="Planets" tabindex="0"/i);
});
