// Renderer: the page Watch: list, symbol and inbox; narrow windows fold the inbox, then the list.
import { useCallback, useRef, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { useFirstPaint } from '../../ui/use-first-paint.ts';
import { Inbox, InboxBar } from '../inbox/index.ts';
import { AsShown, ShownMoment } from '../time/index.ts';
import './watch.css';
import { WatchlistPanel } from './watchlist.tsx';

const SymbolPanel = lazyComponent(
  texts.common.lazy.timeline,
  async () => (await import('./symbol-panel.tsx')).SymbolPanel,
);

type Drawer = 'list' | 'inbox' | null;

export function WatchPage() {
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const isOffline = useIsOffline();
  // Draws the list and its states first.
  const isListShown = useFirstPaint();
  const [drawer, setDrawer] = useState<Drawer>(null);
  const chart = useRef<HTMLDivElement>(null);
  useShortcuts('everywhere', {
    inbox: () => setDrawer(drawer === 'inbox' ? null : 'inbox'),
    close: () => (drawer === null ? false : setDrawer(null)),
  });
  const openChart = useCallback(() => {
    setDrawer(null);
    chart.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
  }, []);
  const openInbox = useCallback(() => setDrawer('inbox'), []);
  return (
    <ShownMoment>
      <main className={`watch${drawer === null ? '' : ` drawer-${drawer}`}`}>
        <AsShown>
          <WatchlistPanel onOpen={openChart} />
        </AsShown>
        <section
          className={isOffline ? 'panel symbol offline' : 'panel symbol'}
          ref={chart}
          aria-label={selected ?? texts.header.choose}
        >
          <button
            type="button"
            className="btn line list-button"
            onClick={() => setDrawer(drawer === 'list' ? null : 'list')}
          >
            <Icon name="list" />
            {texts.common.showList}
          </button>
          {selected === null ? (
            <p className="empty">{texts.header.choose}</p>
          ) : (
            isListShown && <SymbolPanel symbol={selected} />
          )}
        </section>
        {isListShown ? (
          <Inbox onClose={() => setDrawer(null)} onOpen={openInbox} />
        ) : (
          <section className="panel inbox" />
        )}
        <InboxBar onOpen={openInbox} />
      </main>
    </ShownMoment>
  );
}
