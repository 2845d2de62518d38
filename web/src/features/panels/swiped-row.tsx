/** Panels side by side, as many as fit; the others come by swiping, with dots that tell which are shown. */

import { Children, type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { scrolling } from "@/lib/motion";

const GAP = 12;

/** Whose panel stands where. */
export interface Place {
  seat: string;
  name: string;
  color: string;
}

interface SwipedRowProps {
  members: readonly Place[];
  /** Stands in one line with the dots. */
  above?: ReactNode;
  children: ReactNode;
}

export function SwipedRow({ members, above, children }: SwipedRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState({ first: 0, count: members.length });
  const count = Children.count(children);
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = () => {
      const step = (element.firstElementChild?.clientWidth ?? element.clientWidth) + GAP;
      const first = Math.round(element.scrollLeft / step);
      const next = { first, count: Math.max(1, Math.round((element.clientWidth + GAP) / step)) };
      setShown((now) => (now.first === next.first && now.count === next.count ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  const show = (index: number) => {
    const child = row.current?.children[index];
    if (!(child instanceof HTMLElement) || !row.current) return;
    row.current.scrollTo({
      left: child.offsetLeft - row.current.offsetLeft,
      behavior: scrolling(),
    });
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-6 empty:hidden">
        {above}
        {count > shown.count && (
          <fieldset className="flex flex-1 flex-wrap justify-center sm:justify-end">
            <legend className="sr-only">Shown member</legend>
            {members.map((member, index) => {
              const on = index >= shown.first && index < shown.first + shown.count;
              return (
                <button
                  key={member.seat}
                  type="button"
                  aria-pressed={on}
                  aria-label={member.name}
                  title={member.name}
                  onClick={() => show(index)}
                  className="focus-inset flex h-7 items-center justify-center rounded-full px-1.5 touch:h-11 touch:min-w-11"
                >
                  <i
                    aria-hidden="true"
                    className={cn(
                      "h-2 rounded-full transition-[width,opacity]",
                      on ? "w-5" : "w-2 opacity-45",
                    )}
                    style={{ background: member.color }}
                  />
                </button>
              );
            })}
          </fieldset>
        )}
      </div>
      <div
        ref={row}
        {...(count > shown.count && {
          role: "group",
          "aria-label": "Members",
          tabIndex: 0,
          "data-scroll-area": true,
        })}
        className="focus-inset relative -m-px flex snap-x snap-mandatory scroll-p-px items-stretch gap-3 overflow-x-auto overscroll-x-contain p-px [scrollbar-width:thin]"
      >
        {children}
      </div>
    </div>
  );
}

/** One panel alone on a phone, two on a tablet, three on a laptop, up to four on a desktop. */
export const PANEL_WIDTH =
  "w-full shrink-0 snap-start @2xl:w-[calc((100%-12px)/2)] @4xl:w-auto @4xl:min-w-[calc((100%-24px)/3)] @4xl:flex-1 @4xl:basis-0 @5xl:min-w-[calc((100%-36px)/4)]";
