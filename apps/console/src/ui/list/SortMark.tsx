/** Two small arrows; the active one is dark. */
export function SortMark({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  const shade = (on: boolean) => (on ? 'var(--strong-text)' : 'var(--border-strong)');
  return (
    <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
      <path d="M4 1 7.5 5h-7z" fill={shade(direction === 'ascending')} />
      <path d="M4 11 .5 7h7z" fill={shade(direction === 'descending')} />
    </svg>
  );
}
