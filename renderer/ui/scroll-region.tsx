// Renderer: a named region that scrolls and can be reached by keyboard.
import type { ReactNode } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export const ScrollRegion = ({ label, className = 'scroll', children }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
