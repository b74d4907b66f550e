// Main, core: counts calls to the service by cause and minute, to explain the use of the quota.
import { CALL_CAUSES, type CallCause, type ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { AnyRoute } from '../../../shared/wire/route.ts';
import { type RouteName, routes } from '../../../shared/wire/routes.ts';

const CAUSES: Readonly<Record<RouteName, CallCause>> = {
  health: 'other',
  healthLive: 'other',
  healthReady: 'other',
  root: 'other',
  proof: 'other',
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
  pastCloses: 'validation',
  scheduled: 'briefings',
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
  account: 'other',
  setHardCap: 'other',
  usage: 'other',
  keys: 'other',
  issueKey: 'other',
  rotateKey: 'other',
  revokeKey: 'other',
  feeds: 'other',
  setFeedHistory: 'other',
  answerPrice: 'other',
  deskActs: 'other',
  addDeskAct: 'other',
};
const CAUSE_OF = new Map<AnyRoute, CallCause>(
  Object.entries(routes).map(([name, route]) => [route as unknown as AnyRoute, CAUSES[name as RouteName]]),
);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Minutes that the rate covers, the current one included. */
const WINDOW = 10;

export interface Calls {
  /** A call that counts against the quota: one to an endpoint that needs a key. */
  count(route: AnyRoute): void;
  /** Calls per hour at the rate of the window, largest first. */
  perHour(): ConnectionDetails['calls'];
  /** Of the window. */
  countedFor(): ConnectionDetails['counted_for'];
  /** Calls within the last minute. */
  lastMinute(): number;
}

export function createCalls(clock: Clock): Calls {
  const begun = clock.now();
  /** Newest last. */
  let minutes: { readonly minute: number; readonly counts: Map<CallCause, number> }[] = [];
  let recent: number[] = [];
  const minuteOf = (at: number): number => Math.floor(at / MINUTE);
  /** Start of the window's counts. */
  const from = (): number => Math.max(begun, (minuteOf(clock.now()) - WINDOW + 1) * MINUTE);
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
      const seen = Math.max(MINUTE, clock.now() - from());
      return CALL_CAUSES.map((cause) => {
        const made = within().reduce((sum, { counts }) => sum + (counts.get(cause) ?? 0), 0);
        return { cause, made, per_hour: Math.round((made * HOUR) / seen) };
      })
        .filter(({ made }) => made > 0)
        .sort((a, b) => b.made - a.made);
    },
    countedFor: () => ({ ms: Math.max(0, clock.now() - from()), enough: from() > begun }),
    lastMinute: () => recent.filter((at) => Math.abs(clock.now() - at) < MINUTE).length,
  };
}
