/** The one composer of the arena: grows with its text, keeps the draft, says why it cannot send. */

import { ArrowUp, Paperclip, Square } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { preloadMarkdown } from "@/components/markdown/markdown";
import { LONG_PASTE } from "@/features/arena/attachments/long-text";
import { useComposer } from "@/features/arena/composer-store";
import { useEarlySend } from "@/features/arena/early-send";
import { afterPress } from "@/lib/after-press";
import { cn } from "@/lib/cn";
import { lengthNear } from "@/lib/code-points";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

interface ComposerProps {
  /** Whose draft this is: a session's id, or "new". */
  place: string;
  placeholder: string;
  limit: number;
  sending: boolean;
  /** Why the prompt cannot be sent now, in plain words; null where it can. */
  blocked: string | null;
  /** What it is blocked for is on its way: what is sent meanwhile goes then. */
  loading?: boolean;
  onSend: (text: string) => void;
  /** Set while something is being generated. */
  onStop?: (() => void) | undefined;
  /** What the button does where nothing was typed; null where there must be words. */
  wordless?: { label: string; onSend: () => void } | null;
  /** Nothing but the wordless button: what was chosen is sent without words. */
  textless?: boolean;
  /** It can be sent also while something is being generated. */
  listens?: boolean;
  /** The page is about it: larger, and without a frame of its own. */
  hero?: boolean;
  /** On a phone it is one line until it is used. */
  quiet?: boolean;
  /** Takes a key that is pressed in the text; true where that was all it means. */
  takeKey?: (key: string) => boolean;
  inputRef?: Ref<HTMLTextAreaElement>;
  /** What sending will take; stands beside the button in place of the key's name. The chips then come in rows. */
  estimate?: ReactNode;
  /** Attaches a long text of a place in the draft as a file, if there is room; missing where no files can be sent. */
  attachText?: ((text: string, at: number) => boolean) | undefined;
  /** Stands between the text and the chips: files that go with it. */
  above?: ReactNode;
  children?: ReactNode;
}

export function Composer({
  place,
  placeholder,
  limit,
  sending,
  blocked,
  loading = false,
  onSend,
  onStop,
  wordless = null,
  textless = false,
  listens = false,
  hero = false,
  quiet = false,
  takeKey,
  inputRef,
  estimate,
  attachText,
  above,
  children,
}: ComposerProps) {
  const draft = useComposer((state) => state.drafts[place] ?? "");
  const setDraft = useComposer((state) => state.setDraft);
  const own = useRef<HTMLTextAreaElement>(null);
  const [used, setUsed] = useState(false);
  const noteId = useId();
  const length = lengthNear(limit, draft);
  const over = length - limit;
  const free = !sending && blocked === null;
  const canSend = draft.trim() !== "" && over <= 0 && free && !textless;
  const bare = wordless !== null && (textless || draft.trim() === "");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = own.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [draft]);

  const send = useEarlySend(draft, canSend, loading, onSend);

  const onKeyDown = (event: KeyboardEvent) => {
    if (takeKey?.(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };

  return (
    <form
      aria-label="Composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      data-quiet={(quiet && draft === "" && !bare && !used) || undefined}
      onFocus={() => setUsed(true)}
      // Getting smaller at once would move what is being pressed away from under the pointer.
      onBlur={({ currentTarget: form }) => afterPress(() => setUsed(form.contains(document.activeElement)))}
      className={cn(
        "group/composer",
        !hero && "composer-frame rounded-lg border border-line-strong bg-surface",
      )}
    >
      <textarea
        ref={(element) => {
          own.current = element;
          if (typeof inputRef === "function") inputRef(element);
          else if (inputRef) inputRef.current = element;
        }}
        rows={1}
        aria-label="Message"
        aria-describedby={noteId}
        aria-invalid={over > 0 || undefined}
        data-composer
        value={draft}
        placeholder={placeholder}
        onChange={(event) => {
          preloadMarkdown();
          setDraft(place, event.target.value);
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text/plain");
          const isLong = text.length > LONG_PASTE;
          if (isLong && attachText?.(text, event.currentTarget.selectionStart)) event.preventDefault();
        }}
        className={cn(
          "block max-h-[40vh] w-full low:max-h-[20vh] resize-none bg-transparent px-4 pb-1 leading-relaxed outline-none",
          hero
            ? "min-h-[78px] pt-4 text-lg low:min-h-[46px] sm:px-5 sm:text-[18px]"
            : "min-h-[46px] pt-3 text-md",
        )}
      />
      {above}
      <div
        className={cn(
          "flex min-h-11 items-center gap-2 px-2.5 pb-2.5 max-sm:flex-wrap max-sm:gap-1",
          QUIET,
          estimate !== undefined && "flex-wrap sm:gap-y-1.5",
        )}
      >
        <div
          className={
            estimate === undefined ? "flex min-w-0 flex-wrap items-center gap-2 max-sm:contents" : "contents"
          }
        >
          {children}
        </div>
        <div className="ml-auto flex min-w-0 items-center gap-2 max-sm:grow">
          <p
            id={noteId}
            className={cn(
              "num min-w-0 text-right text-xs max-sm:grow",
              estimate !== undefined && "whitespace-nowrap",
              over > 0 ? "text-bad" : "text-ink-3",
            )}
          >
            {over > 0
              ? `${formatCount(over)} characters over the limit of ${formatCount(limit)}`
              : length > limit * 0.8
                ? `${formatCount(length)} of ${formatCount(limit)} characters`
                : sending
                  ? "Sending…"
                  : (blocked ?? (estimate || <SendHint />))}
          </p>
          <div className="flex shrink-0 gap-2">
            {over > 0 && attachText && (
              <Button
                onClick={() => {
                  if (attachText(draft, 0)) setDraft(place, "");
                  own.current?.focus();
                }}
              >
                <Paperclip aria-hidden="true" />
                Attach as file
              </Button>
            )}
            {onStop && (
              // The second click of two was meant for the button that stood here before, there and below.
              <Button
                variant={listens ? "outline" : "primary"}
                onClick={({ detail }) => detail < 2 && onStop()}
              >
                <Square className="size-3! fill-current" />
                Stop
              </Button>
            )}
            {(!onStop || listens) &&
              (bare ? (
                <Button disabled={!free} onClick={wordless.onSend}>
                  {wordless.label}
                </Button>
              ) : (
                <Button
                  variant="primary"
                  className="max-sm:w-11 max-sm:justify-center max-sm:px-0"
                  type="submit"
                  disabled={!canSend}
                  onClick={(event) => event.detail > 1 && event.preventDefault()}
                >
                  <ArrowUp className="sm:-ml-0.5" />
                  <span className="max-sm:sr-only">Send</span>
                </Button>
              ))}
          </div>
        </div>
      </div>
    </form>
  );
}

/** Away on a phone, unless the composer or something that it opened is in use. */
const QUIET = "max-sm:group-[[data-quiet]:not(:has([data-state=open]))]/composer:hidden";

function SendHint() {
  return (
    <span className="flex items-center gap-1.5 max-md:hidden pointer-coarse:hidden">
      <Kbd className="font-sans">Enter</Kbd>
      to send
    </span>
  );
}
