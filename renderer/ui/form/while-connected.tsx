// Renderer: hides the fields for a secret while the core is gone.
// Another program may have taken the core's address.
import type { ReactNode } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useApp } from '../../store/store.ts';

/** Draws the fields, or the reason why they are hidden. */
export function WhileConnected({ children }: { children: ReactNode }) {
  const isGone = useApp((state) => state.link === 'down');
  return isGone ? (
    <p className="t2" role="alert">
      {texts.common.secretsLater}
    </p>
  ) : (
    children
  );
}
