/** Two speech bubbles that meet. */
export function Logo({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" className={className} aria-hidden="true">
      <path
        d="M3 5.5A2.5 2.5 0 0 1 5.5 3h5A2.5 2.5 0 0 1 13 5.5v3A2.5 2.5 0 0 1 10.5 11H7l-3 2.6V11a1.5 1.5 0 0 1-1-1.5z"
        fill="var(--seat-a)"
      />
      <path
        d="M8 12.5h3.5A3.5 3.5 0 0 0 15 9V7.5A2 2 0 0 1 17 9.5v3a2 2 0 0 1-1 1.7V17l-3-2.5h-3a2 2 0 0 1-2-2z"
        fill="var(--seat-b)"
      />
    </svg>
  );
}
