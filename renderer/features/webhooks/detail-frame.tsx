// Renderer, webhooks: the frame of a detail: head, actions, and their result.
// In a narrow window it covers the lists, and a button leads back.
import type { ReactNode } from 'react';
import { webhookText as messages } from '../../text/webhooks.ts';
import { Icon } from '../../ui/icon.tsx';

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
        <button
          type="button"
          className="btn quiet square back"
          aria-label={messages.back}
          title={messages.back}
          onClick={onBack}
        >
          <Icon name="close" />
        </button>
        <h2 className="ell">{heading}</h2>
        <span className="sub grow ell">{sub}</span>
        {actions}
      </div>
      <output className={said === '' ? 'spoken' : 'hook-said'}>{said}</output>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="scroll" tabIndex={0} aria-label={typeof heading === 'string' ? heading : sub}>
        {children}
      </section>
    </>
  );
}
