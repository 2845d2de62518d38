export function Picture() {
  return (
    <>
      <rect className="pic-card" x="14" y="9" width="62" height="58" rx="6" />
      <circle cx="23" cy="18" r="3" fill="var(--seat-a)" />
      <path className="pic-text" d="M21 30h46M21 38h40M21 46h44M21 54h24" />
      <rect className="pic-card" x="100" y="9" width="62" height="58" rx="6" />
      <circle cx="109" cy="18" r="3" fill="var(--seat-b)" />
      <path className="pic-text" d="M107 30h40M107 38h47M107 46h30" />
      <g className="pic-late">
        <rect x="100" y="9" width="62" height="58" rx="6" stroke="var(--gold-line)" strokeWidth="2" />
        <circle cx="160" cy="12" r="9" fill="var(--gold-line)" />
        <path d="M156 12.2l2.8 2.8 5-5.6" stroke="var(--surface)" strokeWidth="2" />
      </g>
    </>
  );
}
