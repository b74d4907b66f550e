// Renderer: the head of a panel beside the page, which closes it; and a block of a page with its head.
import type { ReactNode } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { IconButton } from './icon.tsx';

interface PanelHeadProps {
  readonly heading: string;
  /** Id of the heading. */
  readonly id?: string;
  readonly onClose: () => void;
  /** Drawn before the heading. */
  readonly children?: ReactNode;
}

export const PanelHead = ({ heading, id, onClose, children }: PanelHeadProps) => (
  <div className="head">
    {children}
    <h2 id={id} className="ell">
      {heading}
    </h2>
    <IconButton
      icon="close"
      className="right"
      label={texts.common.close}
      title={`${texts.common.close} (Esc)`}
      onClick={onClose}
    />
  </div>
);

interface BlockProps {
  readonly heading: string;
  readonly sub?: string;
  readonly children: ReactNode;
}

export const Block = ({ heading, sub, children }: BlockProps) => (
  <section aria-label={heading}>
    <div className="head block-head">
      <h2>{heading}</h2>
      {sub !== undefined && <span className="sub ell">{sub}</span>}
    </div>
    {children}
  </section>
);
