/** A group's members: side by side while they are few, else folded into one chip that says how many. */
import { Chip } from "@/features/lineup/chip";
import { placesIn } from "@/features/lineup/lineup";
import { type GroupProps, MemberDots, Members } from "@/features/lineup/seat-chips";
import { counted } from "@/lib/format";
import { useMedia } from "@/lib/use-media";

/** As many chips stand in one row beside the rest. */
const FEW_WIDE = 4;
const FEW_NARROW = 3;

export function FoldedMembers(props: GroupProps) {
  const { info, lineup, group, nameOf } = props;
  const wide = useMedia("(min-width: 640px)");
  const places = placesIn(info, lineup, group);
  const models = [...new Set(places.map(({ model }) => model))];
  if (models.length <= (wide ? FEW_WIDE : FEW_NARROW)) return <Members {...props} />;
  const size = counted(models.length, "model");
  return (
    <Chip
      label={`Line-up: ${size}`}
      title={models.map(nameOf).join(", ")}
      face={
        <>
          <MemberDots count={places.length} />
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
  );
}
