export function Picture() {
  return (
    <>
      <rect className="pic-card" x="14" y="9" width="148" height="58" rx="6" />
      <path className="pic-wire" d="M62 9v58M62 28h100" />
      <circle cx="24" cy="20" r="3" fill="var(--seat-a)" />
      <circle cx="24" cy="34" r="3" fill="var(--seat-b)" />
      <path className="pic-text" d="M32 20h20M32 34h16M74 40h60M74 48h50M74 56h36" />
    </>
  );
}
