// Main, command line: `barograph status`: whether the running app sees the market, and can notify.
import { z } from 'zod';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { HealthIndicatorSchema, type Snapshot } from '../../../shared/channels/state.ts';
import { priceFaultOf } from '../../../shared/domain/data-health.ts';
import { type Message, plainMessage, textOf } from '../../../shared/text/message.ts';
import type { AppClient } from '../../host/app-client.ts';
import { type AppFlags, printFromApp } from './app-output.ts';

/** One part of the status. */
export const StatusSchema = HealthIndicatorSchema.omit({ since: true }).extend({ part: z.string() });
export type Status = z.infer<typeof StatusSchema>;

/** @returns the exit code: 1 where a part is down */
export async function printStatus(flags: AppFlags): Promise<number> {
  let isDown = false;
  await printFromApp(flags, async (app) => {
    const parts = await readStatus(app);
    isDown = parts.some(({ state }) => state === 'down');
    return parts.map((status) => ({
      record: status,
      fields: [status.part.padEnd(13), status.state.padEnd(8), textOf(status.detail)],
    }));
  });
  return isDown ? 1 : 0;
}

export async function readStatus(app: AppClient): Promise<Status[]> {
  const [snapshot, alerting] = await Promise.all([app.call('state.snapshot', {}), app.call('alerting.read', {})]);
  return statusOf(snapshot, alerting);
}

/** The parts of the status, in the order in which one depends on another. */
export function statusOf(snapshot: Snapshot, { silent, is_quiet, rules, channels }: Alerting): Status[] {
  const { profile, connection, rows, gaps, ledger, notifier, alerts, local_alerts } = snapshot;
  const { outage, refused, indicators } = connection;
  const watched = rows.filter(({ signal }) => signal !== null);
  const faulty = watched.filter(({ signal, stale }) => stale || priceFaultOf(signal) !== null);
  const open = gaps.filter(({ closed, lost }) => !closed && !lost);
  const waiting = [...alerts, ...local_alerts].filter(({ needs_attention }) => needs_attention).length;
  const market = profile.environment === 'sandbox' ? 'sandbox' : profile.replay ? 'replay' : 'production';
  return [
    part('profile', 'ok', `${profile.name}, ${market}: ${textOf(profile.label)}`),
    outage === null
      ? part('connection', refused === null ? 'ok' : 'degraded', refused ?? 'receives data')
      : part('connection', 'down', `not since ${outage.since}: ${textOf(outage.cause)}`),
    ...(['open', 'bytes', 'fresh', 'verified'] as const).map((name) => ({
      part: INDICATORS[name],
      // The stream may be closed while polling brings the data.
      state: indicators[name].state === 'down' && outage === null ? 'degraded' : indicators[name].state,
      detail: indicators[name].detail,
    })),
    part(
      'prices',
      faulty.length === 0 ? 'ok' : 'degraded',
      faulty.length === 0
        ? `${watched.length} signals`
        : `${faulty.length} of ${watched.length} are old or doubtful: ${faulty.map(({ symbol }) => symbol).join(', ')}`,
    ),
    part('gaps', open.length === 0 ? 'ok' : 'degraded', open.length === 0 ? 'none open' : `${open.length} open`),
    ledger.unwritten === undefined
      ? part('ledger', 'ok', `${ledger.events} events`)
      : part('ledger', 'down', ledger.unwritten.cause),
    part('notifications', notifier.tier === 'system' ? 'ok' : 'degraded', notifier.detail),
    ...channels.map(({ id, problem }) =>
      part('channel', problem === null ? 'ok' : 'degraded', problem === null ? id : `${id}: ${textOf(problem)}`),
    ),
    silent
      ? part('rules', 'down', 'no rule can notify')
      : part('rules', 'ok', `${rules.length}${is_quiet ? ', quiet hours now' : ''}`),
    part('alerts', 'ok', waiting === 0 ? 'none needs attention' : `${waiting} to acknowledge`),
  ];
}

const INDICATORS = { open: 'stream', bytes: 'bytes', fresh: 'fresh', verified: 'answers' } as const;

const part = (name: string, state: Status['state'], detail: Message | string): Status => ({
  part: name,
  state,
  detail: typeof detail === 'string' ? plainMessage(detail) : detail,
});
