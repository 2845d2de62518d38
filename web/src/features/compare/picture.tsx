export function Picture() {
  return (
    <>
      <rect className="pic-card" x="10" y="9" width="46" height="58" rx="6" />
      <rect className="pic-card" x="65" y="9" width="46" height="58" rx="6" />
      <rect className="pic-card" x="120" y="9" width="46" height="58" rx="6" />
      <circle cx="19" cy="18" r="3" fill="var(--seat-a)" />
      <circle cx="74" cy="18" r="3" fill="var(--seat-b)" />
      <circle cx="129" cy="18" r="3" fill="var(--seat-c)" />
      <path
        className="pic-text"
        d="M17 30h32M17 46h28M17 54h14M72 30h32M72 38h32M72 46h20M127 30h32M127 46h32M127 54h22"
      />
      <path className="pic-line" d="M17 38h24" stroke="var(--seat-a)" />
      <path className="pic-line" d="M72 54h26" stroke="var(--seat-b)" />
      <path className="pic-line" d="M127 38h18" stroke="var(--seat-c)" />
    </>
  );
}
