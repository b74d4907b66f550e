// Renderer: an external link; shows its host, and opens once the user has allowed that host.
import { type ReactNode, useState } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { preferences, usePreference } from '../store/preferences.ts';
import { httpsAddress } from './address.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

interface ExternalLinkProps {
  readonly address: string;
  readonly className?: string;
  /** Shows the host after the text; else only in the accessible name. */
  readonly showHost?: boolean;
  readonly children: ReactNode;
}

/** An address that is not https is shown as text. */
export function ExternalLink({ address, className, showHost = true, children }: ExternalLinkProps) {
  const hosts = usePreference((preference) => preference.hosts);
  const [isConfirming, setIsConfirming] = useState(false);
  const url = httpsAddress(address);
  if (url === null)
    return (
      <span className="no-link" title={texts.news.notHttps}>
        {children} ({address})
      </span>
    );
  const isAllowed = hosts.includes(url.host);
  return (
    <>
      <a
        className={className}
        href={url.href}
        target="_blank"
        rel="noreferrer noopener"
        title={url.href}
        onClick={(event) => {
          if (isAllowed) return;
          event.preventDefault();
          setIsConfirming(true);
        }}
        // The middle button opens without a click event.
        onAuxClick={(event) => {
          if (!isAllowed) event.preventDefault();
        }}
      >
        {children}
        {showHost && <span className="host"> {url.host}</span>}
        <Icon name="outside" size={11} />
        <span className="spoken">, {texts.news.opensOutside(url.host)}</span>
      </a>
      {isConfirming && <ConfirmDialog url={url} onClose={() => setIsConfirming(false)} />}
    </>
  );
}

function ConfirmDialog({ url, onClose }: { url: URL; onClose: () => void }) {
  const open = (): void => {
    window.open(url.href, '_blank', 'noopener,noreferrer');
    onClose();
  };
  return (
    <Dialog heading={texts.news.ask} className="ask-outside" onClose={onClose}>
      <p>{texts.news.askWhy(url.host)}</p>
      <p className="mono ask-address">{url.href}</p>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onClose}>
          {texts.news.cancel}
        </button>
        <button
          type="button"
          className="btn line"
          onClick={() => {
            preferences.allowHost(url.host);
            open();
          }}
        >
          {texts.news.always(url.host)}
        </button>
        <button type="button" className="btn primary" onClick={open}>
          {texts.news.once}
        </button>
      </div>
    </Dialog>
  );
}
