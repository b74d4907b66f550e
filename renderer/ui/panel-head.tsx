// Renderer: the head of a panel beside the page: its heading, and the button that closes it.
import type { ReactNode } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { IconButton } from './icon-button.tsx';

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
