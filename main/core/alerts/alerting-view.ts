// Main, core: the view of rules, mutes, hours and queue for windows; pushed in batches.
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { matches } from '../../../shared/domain/matchers.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { appliesIn, isQuiet } from '../../../shared/settings/alert-rules.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { DowntimeSummary } from './downtime.ts';
import type { SymbolNotes } from './symbol-notes.ts';

export interface AlertingView {
  read(): Alerting;
  /** The view may have changed. */
  changed(): void;
  stop(): void;
}

export interface AlertingViewOptions {
  readonly context: CoreContext;
  readonly mutes: Pick<Ledger['mutes'], 'active'>;
  readonly notifications: Pick<Notifications, 'ruleStore' | 'channelStore' | 'policy' | 'heldBack' | 'calendars'>;
  readonly downtime: Pick<DowntimeSummary, 'read'>;
  readonly notes: Pick<SymbolNotes, 'version'>;
}

/** Changes within this time are pushed together, ms. */
const PUSH_DELAY = 50;

export function createAlertingView(options: AlertingViewOptions): AlertingView {
  const { mutes, notifications, downtime, notes } = options;
  const { events, world, profile, guard } = options.context;
  const { ruleStore, policy } = notifications;
  let cancelPush: Cancel | null = null;
  let pushed = '';

  const read = (): Alerting => {
    const now = world.now();
    const held = notifications.heldBack();
    const rules = ruleStore.views(now);
    return {
      rules,
      silent: !rules.some(
        ({ rule, problem }) => rule?.enabled === true && problem === null && appliesIn(rule, profile.name),
      ),
      channels: [...notifications.channelStore.views()],
      quiet: ruleStore.quiet(),
      outage_alarm: ruleStore.outageAlarm(),
      grouping: ruleStore.grouping(),
      zone: ruleStore.zone(),
      is_quiet: notifications.calendars().every((calendar) => isQuiet(ruleStore.quiet(), now, calendar)),
      mutes: mutes.active().map((mute) => ({
        id: mute.id,
        kind: mute.kind,
        matchers: [...mute.matchers],
        until: mute.until,
        from: timestamp(mute.from),
        until_at: mute.untilAt === null ? null : timestamp(mute.untilAt),
        comment: mute.comment,
        made_at: timestamp(mute.madeAt),
        pending_count: held.filter((labels) => matches(mute.matchers, labels)).length,
      })),
      pending_count: held.length,
      sandbox_pause: policy.pauseLength(),
      downtime: downtime.read(),
      notes_version: notes.version(),
    };
  };
  return {
    read,
    changed() {
      cancelPush ??= guard.clock.after(PUSH_DELAY, () => {
        cancelPush = null;
        const now = read();
        // Recomputed after every event that may have changed it; usually unchanged.
        const serialized = JSON.stringify(now);
        if (serialized === pushed) return;
        pushed = serialized;
        events.emit('alertingChanged', now);
      });
    },
    stop: () => cancelPush?.(),
  };
}
