/** The palette's part for the standings: its pages, every category, every model. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BarChart3, BookOpen, Grid3x3, LineChart, ListChecks, Upload, UserRound } from "lucide-react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { ModelCard } from "@/api/types";
import { Group, Item } from "@/features/palette/parts";

interface StandingsCommandsProps {
  act: (action: () => void) => () => void;
  models: readonly ModelCard[];
  /** Categories and models are many: they come when somebody looks for them. */
  searching: boolean;
}

export function StandingsCommands({ act, models, searching }: StandingsCommandsProps) {
  const navigate = useNavigate();
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const cards = new Map(
    [...(board?.lines.map((line) => line.model) ?? []), ...models].map((card) => [card.id, card]),
  );
  const view = (name: "win-rates" | "history") =>
    act(() =>
      navigate({ to: "/leaderboard/$category", params: { category: "overall" }, search: { view: name } }),
    );
  return (
    <>
      <Group heading="Leaderboard">
        <Item
          icon={<BarChart3 />}
          hint="L"
          onSelect={act(() => navigate({ to: "/leaderboard/$category", params: { category: "overall" } }))}
        >
          Leaderboard
        </Item>
        <Item icon={<Grid3x3 />} onSelect={view("win-rates")}>
          Win rates
        </Item>
        <Item icon={<LineChart />} onSelect={view("history")}>
          Scores over time
        </Item>
        <Item icon={<ListChecks />} onSelect={act(() => navigate({ to: "/votes" }))}>
          My votes
        </Item>
        <Item icon={<Upload />} onSelect={act(() => navigate({ to: "/votes", search: { import: true } }))}>
          Import votes
        </Item>
        <Item icon={<BookOpen />} onSelect={act(() => navigate({ to: "/leaderboard/method" }))}>
          How the leaderboard is made
        </Item>
        {(searching ? (board?.categories ?? []) : [])
          .filter((category) => category.kind !== "overall")
          .map((category) => (
            <Item
              key={category.id}
              value={`leaderboard category ${category.title} ${category.id}`}
              icon={<BarChart3 />}
              onSelect={act(() =>
                navigate({ to: "/leaderboard/$category", params: { category: category.id } }),
              )}
            >
              {category.title}
              <span className="ml-2 truncate text-ink-3">leaderboard</span>
            </Item>
          ))}
      </Group>
      <Group heading="Pages of models">
        {(searching ? [...cards.values()] : []).map((model) => (
          <Item
            key={model.id}
            value={`about ${model.name} ${model.organization} ${model.id}`}
            icon={<UserRound />}
            onSelect={act(() => navigate({ to: "/models/$model", params: { model: model.id } }))}
          >
            {model.name}
            <span className="ml-2 truncate text-ink-3">its votes and numbers</span>
          </Item>
        ))}
      </Group>
    </>
  );
}
