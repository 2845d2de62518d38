export function Picture() {
  return (
    <>
      <path className="pic-wire" d="M58 18c26 0 22 20 42 20M58 38h42M58 58c26 0 22-20 42-20" />
      <rect className="pic-card" x="12" y="9" width="46" height="17" rx="5" />
      <rect className="pic-card" x="12" y="29.5" width="46" height="17" rx="5" />
      <rect className="pic-card" x="12" y="50" width="46" height="17" rx="5" />
      <circle cx="21" cy="17.5" r="3" fill="var(--seat-a)" />
      <circle cx="21" cy="38" r="3" fill="var(--seat-b)" />
      <circle cx="21" cy="58.5" r="3" fill="var(--seat-c)" />
      <path className="pic-text" d="M29 17.5h21M29 38h17M29 58.5h20" />
      <rect className="pic-card" x="100" y="14" width="64" height="48" rx="6" />
      <path className="pic-text" d="M142 24h14M108 35h48M108 43h42M108 51h26" />
      <rect
        className="pic-late"
        x="100"
        y="14"
        width="64"
        height="48"
        rx="6"
        stroke="var(--accent)"
        strokeWidth="1.2"
      />
      <path className="pic-line" d="M108 24h34" stroke="var(--accent)" />
    </>
  );
}
