// Renderer: the window: environment frame, title bar, banner, page, status bar.
// The frame shows whether the market is real.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { DEFAULT_ZONE } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { lazyModules, whenIdle } from '../../lazy-modules.ts';
import { useServices } from '../../services.ts';
import { useIsOffline, useServiceStart } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo, useRoute } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { lazyDialog } from '../../ui/lazy.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { useFirstPaint } from '../../ui/use-first-paint.ts';
import { Toast, useAlertBadge } from '../inbox/index.ts';
import { Palette } from '../palette/index.ts';
import { PriceQuestionDialogs } from '../price-questions/index.ts';
import { ProfileDialogs } from '../profiles/index.ts';
import { PastMark } from '../time/index.ts';
import { Banner } from './banner.tsx';
import { PAGES, pageOf, tabOf } from './pages.ts';
import { Speaker } from './speaker.tsx';
import { StatusBar } from './status-bar.tsx';
import { Tabs, TitleBar } from './title-bar.tsx';
import './shell.css';

const KeySheet = lazyDialog(texts.common.keySheet, async () => (await import('./key-sheet.tsx')).KeySheet);

export function Frame() {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const page = pageOf(useRoute((route) => route.page));
  const tab = tabOf(page);
  const beside = PAGES.filter((one) => tabOf(one) === tab);
  const [sheet, setSheet] = useState(false);
  const [finding, setFinding] = useState(false);
  const find = useCallback(() => setFinding(true), []);
  const found = useCallback(() => setFinding(false), []);
  const openSheet = useCallback(() => setSheet(true), []);
  const closeSheet = useCallback(() => setSheet(false), []);
  useShortcuts('everywhere', {
    // Prevented while a dialog is open, too: browsers search on this key.
    find() {
      if (document.querySelector('dialog[open]') === null) find();
    },
    page: ({ key }) => turnTo(Number(key) - 1),
    zoneMarket: () => preferences.setZone('market'),
    zoneLocal: () => preferences.setZone('local'),
    zoneUtc: () => preferences.setZone('utc'),
    sheet: openSheet,
  });
  useDocumentTitle(page.label);
  useNotificationZone();
  const body = useFocusOnPageChange(page.id);
  const { followFeatures } = useServices();
  const isShown = useFirstPaint();
  useEffect(() => {
    if (isShown) followFeatures();
  }, [isShown, followFeatures]);
  // Loads every page while idle, so that the first click works even when the core is gone by then.
  useEffect(() => void lazyModules.loadAll(whenIdle), []);
  return (
    <div className={`window env-${environment}`}>
      <div className="window-inside">
        <TitleBar tab={tab} onFind={find} onKeys={openSheet} />
        <Banner onKeySheet={openSheet} />
        <PastMark />
        <div className="page-body" tabIndex={-1} ref={body}>
          {beside.length > 1 && <Tabs label={pageOf(tab).label} pages={beside} current={page.id} />}
          <page.Body />
        </div>
        <Toast />
        <StatusBar />
        <Speaker />
        {finding && <Palette pages={PAGES} onKeys={openSheet} onClose={found} />}
        <ProfileDialogs />
        <PriceQuestionDialogs />
        {sheet && <KeySheet onClose={closeSheet} />}
      </div>
    </div>
  );
}

function turnTo(index: number): void {
  const target = PAGES[index];
  if (target !== undefined) goTo({ page: target.id, item: null });
}

/** The link to another page disappears with its page: the new page takes the focus. */
function useFocusOnPageChange(page: PageId): RefObject<HTMLDivElement | null> {
  const shown = useRef(page);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (shown.current !== page && isLost) body.current?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);
  return body;
}

function useDocumentTitle(page: string): void {
  const { name, environment, replay } = useSnapshot((snapshot) => snapshot.profile);
  const isStarting = useServiceStart() !== null;
  const connection = !useIsOffline() ? 'online' : isStarting ? 'starting' : 'offline';
  const waiting = useAlertBadge()?.count ?? 0;
  useEffect(() => {
    document.title = texts.common.documentTitle({
      name,
      environment,
      replay,
      connection,
      page,
      waiting,
    });
  }, [name, environment, replay, connection, page, waiting]);
}

/**
 * Reports each choice. A window that opens reports only if no zone was reported yet: another window may have
 * chosen since.
 */
export function useNotificationZone(): void {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const isUnreported = useApp(({ features }) => features.alerting !== null && features.alerting.zone === null);
  const before = useRef(zone);
  useEffect(() => {
    const isChosen = before.current !== zone;
    before.current = zone;
    if (isChosen || (isUnreported && zone !== DEFAULT_ZONE)) intents.send('notificationZone.save', { zone });
  }, [zone, isUnreported, intents]);
}
