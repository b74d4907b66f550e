// Renderer, webhooks: the frame of a detail: head, actions, and their result.
// A narrow window shows it over the lists, with a button that leads back.
import type { ReactNode } from 'react';

import { texts } from '../../../shared/text/texts.ts';
import { IconButton } from '../../ui/icon.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

interface DetailFrameProps {
  readonly heading: ReactNode;
  readonly sub: string;
  readonly actions?: ReactNode;
  /** The result of the last action. */
  readonly said?: string;
  readonly onBack: () => void;
  readonly children: ReactNode;
}

export function DetailFrame({ heading, sub, actions, said = '', onBack, children }: DetailFrameProps) {
  return (
    <>
      <div className="head page-head">
        <IconButton icon="close" className="back" label={texts.webhooks.back} hasTitle onClick={onBack} />
        <h2 className="ell">{heading}</h2>
        <span className="sub grow ell">{sub}</span>
        {actions}
      </div>
      <output className={said === '' ? 'spoken' : 'hook-said'}>{said}</output>
      <ScrollRegion label={typeof heading === 'string' ? heading : sub}>{children}</ScrollRegion>
    </>
  );
}
