/** The palette's part for the standings: its pages, every category, every model. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BarChart3, BookOpen, Grid3x3, LineChart, ListChecks, Upload, UserRound, Users } from "lucide-react";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { ModelCard } from "@/api/types";
import { Group, Item } from "@/features/palette/parts";
import { STRINGS } from "@/features/palette/strings";

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
    // Made anew where items come or go, for the reason in session-items.
    <>
      <Group key={`leaderboard ${searching}`} heading={STRINGS.leaderboard}>
        <Item
          name={STRINGS.leaderboard}
          icon={<BarChart3 />}
          hint="L"
          onSelect={act(() => navigate({ to: "/leaderboard/$category", params: { category: "overall" } }))}
        />
        <Item name={STRINGS.winRates} icon={<Grid3x3 />} onSelect={view("win-rates")} />
        <Item name={STRINGS.scoresOverTime} icon={<LineChart />} onSelect={view("history")} />
        <Item name={STRINGS.votes} icon={<ListChecks />} onSelect={act(() => navigate({ to: "/votes" }))} />
        <Item
          name={STRINGS.importVotes}
          icon={<Upload />}
          onSelect={act(() => navigate({ to: "/votes", search: { import: true } }))}
        />
        <Item
          name={STRINGS.method}
          about={STRINGS.methodAbout}
          also={STRINGS.methodAbout}
          icon={<BookOpen />}
          onSelect={act(() => navigate({ to: "/leaderboard/method" }))}
        />
        <Item
          name={STRINGS.voters}
          about={STRINGS.votersAbout}
          icon={<Users />}
          onSelect={act(() => navigate({ to: "/leaderboard/voters" }))}
        />
        {(searching ? (board?.categories ?? []) : [])
          .filter((category) => category.kind !== "overall")
          .map((category) => (
            <Item
              key={category.id}
              name={category.title}
              also={STRINGS.categoryWords(category.id)}
              about={STRINGS.categoryAbout}
              icon={<BarChart3 />}
              onSelect={act(() =>
                navigate({ to: "/leaderboard/$category", params: { category: category.id } }),
              )}
            />
          ))}
      </Group>
      <Group key={`models ${searching}`} heading={STRINGS.models}>
        {(searching ? [...cards.values()] : []).map((model) => (
          <Item
            key={model.id}
            name={model.name}
            also={STRINGS.modelWords(model.organization, model.id)}
            about={STRINGS.modelAbout}
            icon={<UserRound />}
            onSelect={act(() => navigate({ to: "/models/$model", params: { model: model.id } }))}
          />
        ))}
      </Group>
    </>
  );
}
