// Main, core: rules, mutes, hours and what waits, as windows see them; pushed in batches, when something changed.
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { isQuiet } from '../../../shared/settings/alert-rules.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NotificationQueue } from '../notifications/queue.ts';
import type { RuleStore } from '../notifications/rule-store.ts';
import type { WorldClock } from '../world-clock.ts';
import type { DowntimeSummary } from './downtime.ts';

export interface AlertingView {
  read(): Alerting;
  /** Something that it shows may be different now. */
  changed(): void;
  stop(): void;
}

export interface AlertingViewOptions {
  readonly clock: Clock;
  readonly world: Pick<WorldClock, 'now'>;
  readonly environment: Environment;
  readonly ruleStore: Pick<RuleStore, 'views' | 'quiet' | 'outageAlarm'>;
  readonly mutes: Ledger['mutes'];
  readonly heldBack: NotificationQueue['heldBack'];
  readonly downtime: Pick<DowntimeSummary, 'read'>;
  /** The least time between two notifications, ms; null: none is kept. */
  readonly pause: () => number | null;
  readonly onChanged: (alerting: Alerting) => void;
}

/** Changes within this time go out as one push, ms. */
const PUSH_DELAY = 50;

export function createAlertingView(options: AlertingViewOptions): AlertingView {
  const { clock, world, environment, ruleStore, mutes, downtime } = options;
  let cancelPush: Cancel | null = null;
  let pushed = '';

  const read = (): Alerting => {
    const now = world.now();
    const heldSymbols = options.heldBack();
    const rules = ruleStore.views(now);
    return {
      rules,
      silent: !rules.some(({ rule, problem }) => rule?.enabled === true && problem === null),
      quiet: ruleStore.quiet(),
      outage_alarm: ruleStore.outageAlarm(),
      is_quiet: isQuiet(ruleStore.quiet(), now, environment === 'sandbox' ? 'always' : 'us'),
      mutes: mutes.active().map((mute) => ({
        id: mute.id,
        kind: mute.kind,
        symbols: mute.symbols === null ? null : [...mute.symbols],
        until: mute.until,
        from: timestamp(mute.from),
        until_at: mute.untilAt === null ? null : timestamp(mute.untilAt),
        comment: mute.comment,
        made_at: timestamp(mute.madeAt),
        pending_count: heldSymbols.filter(
          (symbol) => mute.symbols === null || (symbol !== null && mute.symbols.includes(symbol)),
        ).length,
      })),
      pending_count: heldSymbols.length,
      sandbox_pause: options.pause(),
      downtime: downtime.read(),
    };
  };
  return {
    read,
    changed() {
      cancelPush ??= clock.after(PUSH_DELAY, () => {
        cancelPush = null;
        const now = read();
        // With every event something may have become another, and mostly nothing has.
        const serialized = JSON.stringify(now);
        if (serialized === pushed) return;
        pushed = serialized;
        options.onChanged(now);
      });
    },
    stop: () => cancelPush?.(),
  };
}
