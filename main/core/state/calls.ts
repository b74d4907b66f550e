// Main, core: what calls are made for, counted by the minute: a quota is understood only by what eats it.
import { CALL_CAUSES, type CallCause, type ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { AnyRoute } from '../../../shared/wire/route.ts';
import { type RouteName, routes } from '../../../shared/wire/routes.ts';

const CAUSES: Readonly<Record<RouteName, CallCause>> = {
  health: 'other',
  root: 'other',
  signal: 'signals',
  snapshot: 'signals',
  history: 'regimes',
  regime: 'regimes',
  regimeHistory: 'regimes',
  factors: 'factors',
  archetypes: 'factors',
  alerts: 'events',
  alertTransitions: 'events',
  events: 'events',
  stream: 'stream',
  marketNews: 'briefings',
  briefings: 'briefings',
  briefing: 'briefings',
  validation: 'validation',
  trigger: 'other',
  subscribe: 'webhooks',
  subscriptions: 'webhooks',
  subscription: 'webhooks',
  deleteSubscription: 'webhooks',
  resumeSubscription: 'webhooks',
  rotateSecret: 'webhooks',
  promoteSecret: 'webhooks',
  testSubscription: 'webhooks',
  deliveries: 'webhooks',
  replaySubscription: 'webhooks',
  replayDelivery: 'webhooks',
};
const CAUSE_OF = new Map<AnyRoute, CallCause>(
  Object.entries(routes).map(([name, route]) => [route as unknown as AnyRoute, CAUSES[name as RouteName]]),
);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The pace is that of so many minutes, the present one included. */
const WINDOW = 10;

export interface Calls {
  /** A call that the service counts: one to an endpoint that needs a key. */
  count(route: AnyRoute): void;
  /** Calls an hour at the pace of the window, most first. */
  perHour(): ConnectionDetails['calls'];
  /** Calls within the last minute. */
  lastMinute(): number;
}

export function createCalls(clock: Clock): Calls {
  const begun = clock.now();
  /** Newest last. */
  let minutes: { readonly minute: number; readonly counts: Map<CallCause, number> }[] = [];
  let recent: number[] = [];
  const minuteOf = (at: number): number => Math.floor(at / MINUTE);
  const within = () => minutes.filter(({ minute }) => Math.abs(minute - minuteOf(clock.now())) < WINDOW);
  return {
    count(route) {
      if (route.access === 'open') return;
      const now = clock.now();
      const cause = CAUSE_OF.get(route) ?? 'other';
      recent = [...recent.filter((at) => Math.abs(now - at) < MINUTE), now];
      let last = minutes.at(-1);
      if (last?.minute !== minuteOf(now)) {
        last = { minute: minuteOf(now), counts: new Map() };
        minutes = [...within(), last];
      }
      last.counts.set(cause, (last.counts.get(cause) ?? 0) + 1);
    },
    perHour() {
      const now = clock.now();
      const first = Math.max(begun, (minuteOf(now) - WINDOW + 1) * MINUTE);
      // Less than a minute says nothing of an hour: what is called at the start is called once.
      const seen = Math.max(MINUTE, now - first);
      return CALL_CAUSES.map((cause) => {
        const calls = within().reduce((sum, { counts }) => sum + (counts.get(cause) ?? 0), 0);
        return { cause, per_hour: Math.round((calls * HOUR) / seen) };
      })
        .filter(({ per_hour }) => per_hour > 0)
        .sort((a, b) => b.per_hour - a.per_hour);
    },
    lastMinute: () => recent.filter((at) => Math.abs(clock.now() - at) < MINUTE).length,
  };
}
