// Renderer: the page Alerts, section Prices: all price alerts, newest first.
// Beside the list are the reasons of the open alert.

import Papa from 'papaparse';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PriceAlert } from '../../../shared/channels/state.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { price, shortTimestamp } from '../../../shared/text/format.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelPages, useChannelQuery } from '../../queries/use-channel-query.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useStakeText } from '../../store/risk-order.ts';
import { openAlertSection, useRoute } from '../../store/route.ts';
import { useApp } from '../../store/store.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { Note, TracePath } from '../alert-history/index.ts';
import { useAcknowledgePrices } from '../inbox/index.ts';

const priceAlerts = texts.priceAlerts;
const PAGE = 100;
const NO_RULES: readonly { readonly rule: Rule | null }[] = [];

export function PriceAlertsView() {
  const item = useRoute((route) => route.item);
  const visit = useRoute((route) => route.visit);
  const [open, setOpen] = useState<number | null>(null);
  const [pageCount, setPageCount] = useState(1);
  const list = useRef<HTMLElement>(null);
  const close = (): void => {
    list.current?.querySelector<HTMLElement>(`[data-why="${open}"]`)?.focus();
    setOpen(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same alert may be requested again.
  useEffect(() => setOpen(item === null ? null : Number(item)), [item, visit]);
  const { pages, error, retry, hasNextPage } = useChannelPages(
    'priceAlerts.read',
    { limit: PAGE },
    // A requested alert may be older than the newest page.
    {
      wants: (known) =>
        known.length < pageCount ||
        (open !== null && !known.some((page) => page.rows.some(({ ledger_id }) => ledger_id === open))),
    },
  );
  const rows = useMemo(() => pages.flatMap((page) => page.rows), [pages]);
  const shown = rows.find(({ ledger_id }) => ledger_id === open) ?? null;
  if (pages.length === 0)
    return <QueryNotice query={{ error, refetch: retry }} loading={priceAlerts.heading} failed={priceAlerts.heading} />;
  return (
    <div className={shown === null ? 'al-split' : 'al-split with-sidebar'}>
      <section className="panel" ref={list} aria-label={priceAlerts.heading}>
        <div className="al-lead">
          <p className="t2">{rows.length === 0 ? priceAlerts.none : priceAlerts.list}</p>
          <button type="button" className="btn" onClick={() => openAlertSection('rules')}>
            {priceAlerts.addRule}
          </button>
          {rows.length > 0 && (
            <ExportMenu
              label={priceAlerts.exported}
              onCsv={() => saveFile('price-alerts.csv', csvBlob(priceAlertCsv(priceAlertRows(rows))))}
              onJson={() => saveFile('price-alerts.json', jsonBlob({ alerts: priceAlertRows(rows) }))}
            />
          )}
        </div>
        <ScrollRegion label={priceAlerts.list}>
          <AlertTable rows={rows} open={open} onOpen={setOpen} />
          {hasNextPage && (
            <button type="button" className="btn line" onClick={() => setPageCount(pageCount + 1)}>
              {priceAlerts.older}
            </button>
          )}
        </ScrollRegion>
      </section>
      {shown !== null && <Why alert={shown} onClose={close} />}
    </div>
  );
}

interface AlertTableProps {
  readonly rows: readonly PriceAlert[];
  readonly open: number | null;
  readonly onOpen: (ledgerId: number) => void;
}

function AlertTable({ rows, open, onOpen }: AlertTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const rules = useApp((state) => state.features.alerting?.rules ?? NO_RULES);
  const acknowledge = useAcknowledgePrices();
  const { columns: names, outcomes } = priceAlerts;
  const at = (alert: PriceAlert): string => shortTimestamp(Date.parse(alert.at), zone, now);
  const columns: readonly Column<PriceAlert>[] = [
    { name: names.at, cellClass: 'cond', cell: at },
    { name: names.symbol, isRowHead: true, cell: ({ crossing }) => crossing.symbol },
    { name: names.what, cellClass: 't2', cell: ({ crossing }) => priceAlerts.condition(crossing.condition) },
    { name: names.price, className: 'num', cell: ({ crossing }) => price(crossing.price) },
    {
      name: names.rule,
      cellClass: 't2',
      cell: ({ crossing }) =>
        rules.find(({ rule }) => rule?.id === crossing.rule)?.rule?.name ?? priceAlerts.ruleGone(crossing.rule),
    },
    {
      name: names.outcome,
      cellClass: (alert) => (alert.needs_attention ? 'md' : 't2'),
      cellTitle: ({ reason }) => optionalText(reason) || undefined,
      cell: (alert) => outcomes[outcomeOf(alert)],
    },
    {
      name: names.act,
      isSpoken: true,
      cellClass: 'al-rule-do',
      cell: (alert) => (
        <>
          {alert.needs_attention && (
            <button
              type="button"
              className="btn"
              aria-label={priceAlerts.acknowledge(alert.crossing.symbol)}
              onClick={() => void acknowledge([alert])}
            >
              {texts.alerts.acts.acknowledge}
            </button>
          )}
          <button
            type="button"
            className="btn quiet"
            data-why={alert.ledger_id}
            aria-label={priceAlerts.why(alert.crossing.symbol, at(alert))}
            onClick={() => onOpen(alert.ledger_id)}
          >
            {texts.alerts.acts.why}
          </button>
        </>
      ),
    },
  ];
  return (
    <Table
      className="al-rules"
      columns={columns}
      rows={rows}
      keyOf={({ ledger_id }) => String(ledger_id)}
      rowClass={({ ledger_id }) => (ledger_id === open ? 'is-open' : '')}
    />
  );
}

function outcomeOf(alert: PriceAlert): keyof typeof priceAlerts.outcomes {
  if (alert.needs_attention) return 'needs';
  return alert.acked_at === null ? alert.notification_status : 'acknowledged';
}

function Why({ alert, onClose }: { readonly alert: PriceAlert; readonly onClose: () => void }) {
  const { ledger_id, crossing, acked_at, dispatch, note, reason } = alert;
  const version = [acked_at, dispatch?.outcome, note, optionalText(reason)].join(' ');
  const query = useChannelQuery('alerts.trace', { ledger_id }, { version });
  const heading = priceAlerts.crossed(crossing);
  const stake = useStakeText(crossing.symbol);
  useShortcuts('everywhere', { close: onClose });
  return (
    <aside className="panel al-why" aria-label={texts.alerts.why.label}>
      <PanelHead heading={heading} onClose={onClose} />
      <ScrollRegion label={heading}>
        <p className="al-delivery">{heading}.</p>
        <p className="al-became t2">{optionalText(reason)}</p>
        {stake !== null && alert.needs_attention && <p className="al-plain">{stake}</p>}
        <h3 className="group">{texts.alerts.why.path}</h3>
        {query.data !== undefined ? (
          <TracePath trace={query.data} />
        ) : (
          <QueryNotice query={query} loading={texts.alerts.why.loading} failed={texts.alerts.why.traceFailed} />
        )}
        <Note key={ledger_id} ledgerId={ledger_id} note={note} />
      </ScrollRegion>
    </aside>
  );
}

const FIELDS = [
  'symbol',
  'asset_class',
  'at',
  'direction',
  'condition',
  'price',
  'price_at',
  'change_percent',
  'rule',
  'notification',
  'reason',
  'acknowledged_at',
  'note',
  'event_id',
] as const;
type FileRow = Readonly<Record<(typeof FIELDS)[number], string | number | null>>;

/** Price alerts as a file; an unknown value is empty, never 0. */
export const priceAlertRows = (alerts: readonly PriceAlert[]): FileRow[] =>
  alerts.map(({ crossing, at, notification_status, reason, acked_at, note, event_id }) => ({
    symbol: crossing.symbol,
    asset_class: crossing.asset_class,
    at,
    direction: crossing.direction,
    condition: texts.priceAlerts.condition(crossing.condition),
    price: crossing.price,
    price_at: crossing.price_at,
    change_percent: crossing.change_pct,
    rule: crossing.rule,
    notification: notification_status,
    reason: reason === null ? null : textOf(reason),
    acknowledged_at: acked_at,
    note: note === '' ? null : note,
    event_id,
  }));

/** A cell that a spreadsheet could take for a formula is marked as text. */
export const priceAlertCsv = (rows: readonly FileRow[]): string =>
  `${Papa.unparse({ fields: [...FIELDS], data: rows.map((row) => FIELDS.map((field) => row[field])) }, { escapeFormulae: true, newline: '\n' })}\n`;
