/** A group's members: side by side while they are few, else folded into one chip that says how many. */

import { Chip } from "@/components/chip";
import { placesIn } from "@/features/lineup/lineup";
import { type GroupProps, MemberDots, Members } from "@/features/lineup/seat-chips";
import { counted } from "@/lib/format";

/** As many chips stand in one row beside the rest. */
const FEW = 4;

export function FoldedMembers(props: GroupProps) {
  const { info, lineup, group, nameOf, colors } = props;
  const places = placesIn(info, lineup, group);
  const models = [...new Set(places.map(({ model }) => model))];
  const chips = info.seating.settings ? places.length : models.length;
  if (chips <= FEW) return <Members {...props} />;
  const size = counted(chips, "model");
  return (
    <div data-folded className="contents">
      <Chip
        label={`Line-up: ${size}`}
        title={models.map(nameOf).join(", ")}
        face={
          <>
            <MemberDots places={places} {...(colors && { colors })} />
            <span className="num">{size}</span>
          </>
        }
      >
        {() => (
          <div className="flex flex-wrap items-center gap-1.5 p-3">
            <Members {...props} />
          </div>
        )}
      </Chip>
    </div>
  );
}
