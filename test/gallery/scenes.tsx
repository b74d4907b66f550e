// Gallery: the scenes: shared components alone, and the window's parts over states of the core.
import type { ReactNode } from 'react';
import { AlertsPage } from '../../renderer/features/alerts/index.ts';
import { BriefingsPage } from '../../renderer/features/briefings/index.ts';
import { ConnectionSection } from '../../renderer/features/connection/index.ts';
import { NewsPage } from '../../renderer/features/news/index.ts';
import { SettingsPage } from '../../renderer/features/settings/index.ts';
import { Frame, NoSessionNotice, Waiting } from '../../renderer/features/shell/index.ts';
import { ValidationPage } from '../../renderer/features/validation/index.ts';
import { WebhooksSection } from '../../renderer/features/webhooks/index.ts';
import { DescriptionItem, DescriptionList } from '../../renderer/ui/description-list.tsx';
import { EnvironmentIcon } from '../../renderer/ui/environment-icon.tsx';
import { Glyph, IndicatorIcon, Logo, OfflineIcon, StateLabel } from '../../renderer/ui/glyph.tsx';
import { Icon, IconButton } from '../../renderer/ui/icon.tsx';
import { ErrorNotice, LoadingNotice } from '../../renderer/ui/loading-notice.tsx';
import { PanelHead } from '../../renderer/ui/panel-head.tsx';
import { SegmentedControl } from '../../renderer/ui/segmented-control.tsx';
import { plainMessage } from '../../shared/text/message.ts';
import {
  alert,
  connection,
  iso,
  PRICE_QUESTION,
  priceAlert,
  row,
  signal,
  snapshot,
  T0,
  transition,
} from '../fixtures/window-fixtures.ts';
import type { WindowProps } from './window.tsx';

export interface Scene extends Omit<WindowProps, 'children'> {
  readonly name: string;
  readonly element: ReactNode;
  /** A whole window, or a page of one; else a part, as large as it is. */
  readonly isWindow?: boolean;
}

const nothing = (): void => undefined;

const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL'];
const holdings = { unit: 'quantity' as const, rows: [{ symbol: 'SPY', amount: 120 }] };
const watchlists = [{ id: 'desk', name: 'Desk list', sections: [{ name: 'Core', symbols }], holdings }];
const quiet = snapshot({ watchlists, rows: symbols.map((symbol) => row(symbol, 0)) });
/** Past its breach level. */
const past = signal('SPY', 2, {
  ...{ confidence: 58, confidence_of: 'further_fall', breach_level: 592.1, breach_progress: 1.36 },
  note: 'Trades 12.1 % below its 21-day high, past the breach level of 592.10.',
});
const atRisk = snapshot({
  watchlists,
  rows: [row('SPY', 2, { signal: past }), row('QQQ', 1), row('IWM', 0, { stale: true }), row('AAPL', 2)],
  alerts: [
    alert(transition('SPY', 1, 2, T0 - 60_000), 3),
    alert(transition('AAPL', 0, 2, T0 - 3_600_000), 2),
    alert(transition('QQQ', 0, 1, T0 - 7_200_000), 1),
  ],
  local_alerts: [priceAlert('NVDA', 4)],
  ledger: { events: 4 },
});
const down = { state: 'down', since: iso(T0 - 90_000), detail: plainMessage('The stream is closed.') } as const;
const cut = snapshot({
  ...atRisk,
  connection: connection({
    indicators: { open: down, bytes: down, fresh: down, verified: down },
    outage: { since: iso(T0 - 90_000), cause: plainMessage('the service cannot be reached') },
    retry: { attempt: 3, at: iso(T0 + 8_000) },
  }),
});

const asked = snapshot({
  ...atRisk,
  rows: [
    row('SPY', 2, { signal: signal('SPY', 2, { data_health: 'question', price_question: PRICE_QUESTION }) }),
    row('QQQ', 1),
  ],
});

export const SCENES: readonly Scene[] = [
  { name: 'States', element: ([0, 1, 2] as const).map((state) => <StateLabel key={state} state={state} />) },
  {
    name: 'Glyphs',
    element: [
      ...([0, 1, 2, 'unknown', 'none'] as const).map((name) => <Glyph key={name} name={name} />),
      ...(['ok', 'degraded', 'down'] as const).map((state) => <IndicatorIcon key={state} state={state} />),
      <Logo key="logo" />,
      <OfflineIcon key="offline" />,
      <EnvironmentIcon key="sandbox" environment="sandbox" />,
      <EnvironmentIcon key="production" environment="production" />,
      <Icon key="bell" name="bell" />,
    ],
  },
  {
    name: 'Buttons',
    element: [
      <button key="plain" type="button" className="btn">
        Plain
      </button>,
      <button key="line" type="button" className="btn line">
        Line
      </button>,
      <IconButton key="icon" icon="retry" label="Try again" />,
      <SegmentedControl
        key="segments"
        label="Days"
        options={[1, 5, 30].map((value) => ({ value, label: `${value} d` }))}
        value={5}
        onChange={nothing}
      />,
    ],
  },
  {
    name: 'Notices',
    element: [
      <LoadingNotice key="loading" what="The record is computed." progress={0.4} onStop={nothing} />,
      <ErrorNotice key="error" what="The prices cannot be read." why="The service is away." onRetry={nothing} />,
    ],
  },
  {
    name: 'Panel',
    element: [
      <PanelHead key="head" heading="Ledger" id="gallery-panel" onClose={nothing} />,
      <DescriptionList key="list">
        <DescriptionItem name="Events">1,204</DescriptionItem>
        <DescriptionItem name="Folder">ledger/sandbox</DescriptionItem>
      </DescriptionList>,
    ],
  },
  { name: 'A quiet window', element: <Frame />, snapshot: quiet, isWindow: true },
  { name: 'A window with High Risks', element: <Frame />, snapshot: atRisk, isWindow: true },
  { name: 'A price that needs a decision', element: <Frame />, snapshot: asked, isWindow: true },
  { name: 'A window in an outage', element: <Frame />, snapshot: cut, isWindow: true },
  { name: 'Before the first snapshot', element: <Waiting />, isWindow: true },
  { name: 'Without a session', element: <NoSessionNotice reason="none" />, isWindow: true },
  ...[
    { name: 'Alerts', element: <AlertsPage /> },
    { name: 'Briefings', element: <BriefingsPage /> },
    { name: 'News', element: <NewsPage /> },
    { name: 'Record', element: <ValidationPage /> },
    { name: 'Webhooks', element: <WebhooksSection /> },
    { name: 'Connection', element: <ConnectionSection /> },
    { name: 'Settings', element: <SettingsPage /> },
  ].map((page) => ({ ...page, snapshot: atRisk, isWindow: true })),
];
