// Main, command line: `barograph alerts`: lists, explains, acknowledges and snoozes alerts of the running app.
import {
  type FoundAlerts,
  INBOX_FILTERS,
  type InboxQuery,
  type InboxRow,
  LONGEST_COMMENT,
  type SnoozeUntil,
  type Trace,
} from '../../../shared/channels/alerting.ts';
import type { Alert, LocalAlert } from '../../../shared/channels/state.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import { message, optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { AppClient } from '../../host/app-client.ts';
import { UsageError } from '../../host/command-line.ts';
import { type AppFlags, type Printed, printFromApp } from './app-output.ts';
import { durationOf, instantIn, worldNow } from './instants.ts';

export interface ListFlags extends AppFlags {
  readonly filter: string;
  readonly symbol?: string;
  readonly attention?: boolean;
  readonly prices?: boolean;
  readonly limit: string;
}

const PAGE = 200;
const MOST = 10_000;

export const listAlerts = (flags: ListFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const { filter, limit, attention = false, prices = false } = flags;
    const known = INBOX_FILTERS.find((one) => one === filter);
    if (known === undefined) throw new UsageError(`--filter ${filter}: it must be one of ${INBOX_FILTERS.join(', ')}.`);
    const count = Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > MOST)
      throw new UsageError(`--limit ${limit}: it must be a number from 1 to ${MOST}.`);
    const symbol = flags.symbol === undefined ? null : symbolIn('--symbol', flags.symbol);
    if (prices && known !== 'all') throw new UsageError('--prices takes no --filter.');
    if (attention) {
      const found = await needingAttention(app);
      return found.filter((alert) => symbol === null || alert.record.symbol === symbol).slice(0, count);
    }
    return prices ? localAlerts(app, symbol, count) : transitions(app, known, symbol, count);
  });

/** The alerts that need attention, of either kind, newest first. */
export async function needingAttention(app: AppClient): Promise<Listed[]> {
  const { alerts, local_alerts } = await app.call('state.snapshot', {});
  return [
    ...alerts.filter((alert) => alert.needs_attention).map((alert) => listed(alert, null)),
    ...local_alerts.filter((alert) => alert.needs_attention).map(listedLocal),
  ].sort((a, b) => Date.parse(b.record.at) - Date.parse(a.record.at));
}

/** Transitions, newest first. */
export async function transitions(
  app: AppClient,
  filter: InboxQuery['filter'],
  symbol: string | null,
  count: number,
): Promise<Listed[]> {
  const found: Listed[] = [];
  let before: InboxQuery['before'] = null;
  do {
    const limit = Math.min(PAGE, count - found.length);
    const page: { rows: InboxRow[]; next: InboxQuery['before'] } = await app.call('alerts.read', {
      filter,
      symbol,
      before,
      limit,
    });
    found.push(...page.rows.map(({ alert, ended }) => listed(alert, ended)));
    before = page.next;
  } while (before !== null && found.length < count);
  return found;
}

async function localAlerts(app: AppClient, symbol: string | null, count: number): Promise<Listed[]> {
  const found: Listed[] = [];
  let before: number | null = null;
  do {
    const page: { rows: LocalAlert[]; next: number | null } = await app.call('localAlerts.read', {
      before,
      limit: PAGE,
    });
    found.push(...page.rows.filter((alert) => symbol === null || alert.symbol === symbol).map(listedLocal));
    before = page.next;
  } while (before !== null && found.length < count);
  return found.slice(0, count);
}

interface Listed extends Printed {
  readonly record: {
    readonly id: string;
    /** Empty: it names none. */
    readonly symbol: string;
    readonly at: string;
    readonly ledger_id: number;
    readonly kind?: string;
  };
}

function listed(alert: Alert, ended: InboxRow['ended']): Listed {
  const { event_id, symbol, occurred_at, to_state } = alert.transition;
  const { state_word } = alert.transition;
  return {
    record: { kind: 'transition', id: event_id, symbol, at: occurred_at, ...alert, ended } as Listed['record'],
    fields: [
      occurred_at,
      symbol.padEnd(8),
      writtenState(to_state, state_word).padEnd(9),
      ...outcomeOf(alert),
      event_id,
    ],
  };
}

function listedLocal(alert: LocalAlert): Listed {
  const { event_id, at, symbol } = alert;
  const kind = 'crossing' in alert ? 'price' : 'breadth' in alert ? 'breadth' : 'foreign';
  return {
    record: { kind, id: event_id, ...alert, symbol: symbol ?? '' },
    fields: [at, (symbol ?? '').padEnd(8), texts.localAlert(alert), ...outcomeOf(alert), event_id],
  };
}

const outcomeOf = (alert: Alert | LocalAlert): string[] => [
  alert.needs_attention ? 'needs attention' : alert.acked_at === null ? '' : `acknowledged ${alert.acked_at}`,
  alert.notification_status === 'none' ? 'not notified' : alert.notification_status,
  optionalText(alert.reason),
];

const everyOf = ({ rows, local_alerts }: FoundAlerts): Listed[] => [
  ...rows.map(({ alert, ended }) => listed(alert, ended)),
  ...local_alerts.map(listedLocal),
];

/** @throws RefusedError where one of them is unknown: nothing was done then */
async function named(app: AppClient, names: readonly string[]): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const name of names) {
    if (name.trim() === '' || name.length > 128) throw new UsageError('Give the id of an event, or a symbol.');
    found.push(...everyOf(await app.call('alerts.find', { name })));
  }
  return [...new Map(found.map((one) => [one.record.ledger_id, one])).values()];
}

/** Each alert, then a line for each step of its trace. */
export const showAlert = (name: string, flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const printed: Printed[] = [];
    for (const { alert, trace } of await traced(app, [name]))
      if (flags.json === true) printed.push({ record: { ...alert.record, trace }, fields: [] });
      else printed.push(alert, ...stepsOf(trace));
    return printed;
  });

async function traced(app: AppClient, names: readonly string[]) {
  const found = await named(app, names);
  const trace = ({ record: { ledger_id } }: Listed) => app.call('alerts.trace', { ledger_id });
  return Promise.all(found.map(async (alert) => ({ alert, trace: await trace(alert) })));
}

/** Alerts with their traces. @throws RefusedError where one of them is unknown */
export const explained = async (app: AppClient, names: readonly string[]) =>
  (await traced(app, names)).map(({ alert, trace }) => ({ ...alert.record, trace }));

const stepsOf = ({ steps, silent }: Trace): Printed[] => [
  ...steps.map((step) => ({
    record: step,
    fields: [`  ${step.at}`, texts.alerts.why.steps[step.step], optionalText(step.detail)],
  })),
  ...silent.map(({ rule, miss }) => ({
    record: rule,
    fields: [`  Rule ${rule}`, textOf(message('decision.missed', { miss }))],
  })),
];

export interface AcknowledgeFlags extends AppFlags {
  readonly note?: string;
}

export const acknowledgeAlerts = (names: readonly string[], flags: AcknowledgeFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const { note } = flags;
    if (note !== undefined && note.length > LONGEST_COMMENT)
      throw new UsageError(`--note: a note has at most ${LONGEST_COMMENT} characters.`);
    return acknowledged(app, names, note);
  });

/** Acknowledges all of them. @throws RefusedError where one of them is unknown: nothing was done then */
export async function acknowledged(app: AppClient, names: readonly string[], note?: string): Promise<Printed[]> {
  const found = await named(app, names);
  const ledger_ids = found.map(({ record }) => record.ledger_id);
  await app.call('alerts.acknowledge', { ledger_ids, acknowledged: true });
  if (note !== undefined) for (const ledger_id of ledger_ids) await app.call('alerts.note', { ledger_id, note });
  return found.map((alert) => done('acknowledged', alert));
}

export interface SnoozeFlags extends AppFlags {
  readonly for?: string;
  readonly until?: string;
}

export const snoozeAlerts = (names: readonly string[], flags: SnoozeFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const until = await untilOf(app, flags);
    const found = await named(app, names);
    await app.call('alerts.snooze', { ledger_ids: found.map(({ record }) => record.ledger_id), until });
    return found.map((alert) => done('snoozed', alert));
  });

const done = (what: string, { record, fields }: Listed): Printed => ({
  record: { done: what, id: record.id, symbol: record.symbol, ledger_id: record.ledger_id },
  fields: [what, record.symbol, (fields[2] ?? '').trim(), record.id],
});

const UNTIL: Readonly<Record<string, SnoozeUntil>> = {
  'next-open': { kind: 'next_open' },
  change: { kind: 'change' },
  recovery: { kind: 'recovery' },
};

async function untilOf(app: AppClient, flags: SnoozeFlags): Promise<SnoozeUntil> {
  if ((flags.for === undefined) === (flags.until === undefined))
    throw new UsageError('Give --for with a duration like 1h, or --until with next-open, change, recovery or a time.');
  if (flags.for !== undefined)
    return { kind: 'time', at: timestamp((await worldNow(app)) + durationOf('--for', flags.for)) };
  const until = flags.until ?? '';
  return UNTIL[until] ?? { kind: 'time', at: instantIn('--until', until) };
}

/** @throws UsageError */
export function symbolIn(flag: string, text: string): string {
  const symbol = normalizeSymbol(text);
  if (!isSymbol(symbol)) throw new UsageError(`${flag} ${text}: this is no symbol.`);
  return symbol;
}
