import type { ReactNode } from 'react';

/** A scrolling container that also scrolls by keyboard. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} className={className} style={{ overflow: 'auto' }}>
      {children}
    </section>
  );
}
