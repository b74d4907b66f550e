// Renderer: the page Alerts, section Prices: all price alerts and alerts of other programs, newest first.
// Beside the list are the reasons of the open alert.

import Papa from 'papaparse';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { LocalAlert } from '../../../shared/channels/state.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { type Breadth, INHIBITION_RULE } from '../../../shared/settings/breadth-conditions.ts';
import type { ForeignAlert } from '../../../shared/settings/foreign-alerts.ts';
import type { Crossing } from '../../../shared/settings/price-conditions.ts';
import { DASH, price, shortTimestamp } from '../../../shared/text/format.ts';
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
import { BreadthText, ForeignMark, ForeignText, useAcknowledgeLocal } from '../inbox/index.ts';

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
    'localAlerts.read',
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
  readonly rows: readonly LocalAlert[];
  readonly open: number | null;
  readonly onOpen: (ledgerId: number) => void;
}

function AlertTable({ rows, open, onOpen }: AlertTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const rules = useApp((state) => state.features.alerting?.rules ?? NO_RULES);
  const acknowledge = useAcknowledgeLocal();
  const { columns: names, outcomes } = priceAlerts;
  const at = (alert: LocalAlert): string => shortTimestamp(Date.parse(alert.at), zone, now);
  const columns: readonly Column<LocalAlert>[] = [
    { name: names.at, cellClass: 'cond', cell: at },
    { name: names.symbol, isRowHead: true, cell: ({ symbol }) => symbol ?? DASH },
    {
      name: names.what,
      cellClass: 't2 foreign-text',
      cellTitle: texts.localAlert,
      cell: What,
    },
    {
      name: names.price,
      className: 'num',
      cell: (alert) => ('crossing' in alert ? price(alert.crossing.price, alert.crossing.currency) : DASH),
    },
    {
      name: names.rule,
      cellClass: 't2',
      cell: (alert) => {
        const id = ruleIdOf(alert);
        if (id === null) return DASH;
        if (id === INHIBITION_RULE) return texts.breadth.byGrouping;
        return rules.find(({ rule }) => rule?.id === id)?.rule?.name ?? priceAlerts.ruleGone(id);
      },
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
              aria-label={priceAlerts.acknowledge(nameOf(alert))}
              onClick={() => void acknowledge([alert])}
            >
              {texts.alerts.acts.acknowledge}
            </button>
          )}
          <button
            type="button"
            className="btn quiet"
            data-why={alert.ledger_id}
            aria-label={priceAlerts.why(nameOf(alert), at(alert))}
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

function What(alert: LocalAlert) {
  if ('crossing' in alert) return priceAlerts.condition(alert.crossing.condition);
  if ('breadth' in alert) return texts.breadth.crossed(alert.breadth);
  return (
    <>
      <ForeignMark /> {texts.foreign.title(alert.foreign)}
    </>
  );
}

/** The rule of a price, or the first that chose another alert; null: none did. */
const ruleIdOf = (alert: LocalAlert): string | null =>
  'crossing' in alert ? alert.crossing.rule : (/^matched:(.+)$/.exec(alert.decision ?? '')?.[1] ?? null);

const nameOf = (alert: LocalAlert): string => alert.symbol ?? texts.localAlert(alert);

function outcomeOf(alert: LocalAlert): keyof typeof priceAlerts.outcomes {
  if (alert.needs_attention) return 'needs';
  return alert.acked_at === null ? alert.notification_status : 'acknowledged';
}

function Why({ alert, onClose }: { readonly alert: LocalAlert; readonly onClose: () => void }) {
  const { ledger_id, symbol, acked_at, dispatch, note, reason } = alert;
  const version = [acked_at, dispatch?.outcome, note, optionalText(reason)].join(' ');
  const query = useChannelQuery('alerts.trace', { ledger_id }, { version });
  const heading = texts.localAlert(alert);
  const stake = useStakeText(symbol ?? '');
  useShortcuts('everywhere', { close: onClose });
  return (
    <aside className="panel al-why" aria-label={texts.alerts.why.label}>
      <PanelHead heading={heading} onClose={onClose} />
      <ScrollRegion label={heading}>
        <p className="al-delivery foreign-text">{heading}.</p>
        {'foreign' in alert && (
          <>
            <p className="al-became t2">{texts.foreign.sub}</p>
            <ForeignText foreign={alert.foreign} />
          </>
        )}
        {'breadth' in alert && <BreadthText breadth={alert.breadth} overSince={alert.over_since} />}
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
  'source',
  'severity',
  'title',
  'text',
  'problems',
] as const;
type FileRow = Readonly<Record<(typeof FIELDS)[number], string | number | null>>;

const NOTHING = Object.fromEntries(FIELDS.map((field) => [field, null])) as FileRow;

/** Price alerts and alerts of other programs as a file; an unknown value is empty, never 0. */
export const priceAlertRows = (alerts: readonly LocalAlert[]): FileRow[] =>
  alerts.map((alert) => ({
    ...NOTHING,
    ...fieldsOf(alert),
    symbol: alert.symbol,
    at: alert.at,
    rule: ruleIdOf(alert),
    notification: alert.notification_status,
    reason: alert.reason === null ? null : textOf(alert.reason),
    acknowledged_at: alert.acked_at,
    note: alert.note === '' ? null : alert.note,
    event_id: alert.event_id,
  }));

function fieldsOf(alert: LocalAlert): Partial<FileRow> {
  if ('crossing' in alert) return priceFields(alert.crossing);
  return 'foreign' in alert ? foreignFields(alert.foreign) : breadthFields(alert.breadth);
}

const priceFields = ({ asset_class, direction, condition, price: at, price_at, change_pct }: Crossing) => ({
  source: 'price',
  asset_class,
  direction,
  condition: texts.priceAlerts.condition(condition),
  price: at,
  price_at,
  change_percent: change_pct,
});
const breadthFields = (breadth: Breadth) => ({
  source: 'market breadth',
  severity: stateLabel(breadth.condition.state),
  condition: texts.breadth.condition(breadth.condition, breadth.name),
  title: texts.breadth.crossed(breadth),
  text: texts.breadth.symbols(breadth),
  problems: texts.breadth.unknown(breadth),
});
const foreignFields = (foreign: ForeignAlert) => ({
  source: 'other program',
  severity: stateLabel(foreign.severity),
  title: texts.foreign.title(foreign),
  text: foreign.text,
  problems: texts.foreign.problems(foreign).join(' '),
});

/** A cell that a spreadsheet could take for a formula is marked as text. */
export const priceAlertCsv = (rows: readonly FileRow[]): string =>
  `${Papa.unparse({ fields: [...FIELDS], data: rows.map((row) => FIELDS.map((field) => row[field])) }, { escapeFormulae: true, newline: '\n' })}\n`;
