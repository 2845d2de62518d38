export function Picture() {
  return (
    <>
      <path className="pic-wire" d="M52 20h12c6 0 6 18 12 18M52 56h12c6 0 6-18 12-18M118 38h12" />
      <rect className="pic-card" x="10" y="9" width="42" height="22" rx="5" />
      <rect className="pic-card" x="10" y="45" width="42" height="22" rx="5" />
      <rect className="pic-card" x="76" y="27" width="42" height="22" rx="5" />
      <circle cx="19" cy="20" r="3" fill="var(--seat-a)" />
      <circle cx="19" cy="56" r="3" fill="var(--seat-b)" />
      <circle cx="85" cy="38" r="3" fill="var(--seat-d)" />
      <path className="pic-text" d="M27 17h17M27 23h12M27 53h17M27 59h9M93 35h17M93 41h13" />
      <g className="pic-late">
        <rect className="pic-card" x="130" y="16" width="36" height="44" rx="5" />
        <path stroke="var(--line-strong)" d="M137 26h22M137 34h22M137 42h16M137 50h20" />
      </g>
    </>
  );
}
