export function Picture() {
  return (
    <>
      <rect className="pic-own" x="84" y="9" width="78" height="18" rx="7" />
      <path className="pic-text" d="M94 18h56" />
      <circle cx="18" cy="38" r="3" fill="var(--seat-a)" />
      <path className="pic-line" stroke="var(--line-strong)" d="M28 38h54M82 38h30M28 46h52M80 46h14" />
      <g className="pic-late">
        <rect className="pic-own" x="112" y="55" width="50" height="14" rx="6" />
        <path stroke="var(--line-strong)" d="M121 62h30" />
      </g>
    </>
  );
}
