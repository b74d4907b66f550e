// Main, core: the alerts module: actions, inbox, trace, downtime, the view of windows.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Desk } from '../desk/desk.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Watch } from '../profiles/watch.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import { createAbsence } from './absence.ts';
import { type AlertActions, createAlertActions } from './actions.ts';
import { createAlertingView } from './alerting-view.ts';
import type { Attention } from './attention.ts';
import { type ChannelAnswers, createChannelAnswers } from './channel-answers.ts';
import { createDowntimeSummary } from './downtime.ts';
import { createInboxPages } from './inbox-pages.ts';
import { createSymbolNotes } from './symbol-notes.ts';

export interface Alerts extends CoreModule {
  readonly handlers: Omit<Handlers<typeof alertingChannels>, keyof Notifications['handlers']>;
  readonly on: Required<CoreModule>['on'];
  readonly actions: AlertActions;
  readonly channelAnswers: ChannelAnswers;
  stop(): void;
}

export interface AlertsDeps {
  readonly context: CoreContext;
  readonly ledger: Ledger;
  readonly watch: Pick<Watch, 'isWatched' | 'listsOf' | 'sectionsOf'>;
  readonly attention: Pick<Attention, 'read'>;
  readonly notifications: Pick<
    Notifications,
    'ruleStore' | 'channelStore' | 'policy' | 'tokens' | 'heldBack' | 'calendars' | 'takenByWindow'
  >;
  readonly desk: Pick<Desk, 'share'>;
  readonly scheduled: Pick<DueLookup, 'due'>;
}

/** Largest error of the estimate of the service's clock, ms at speed 1. */
const ESTIMATE_ERROR = 60_000;

export function createAlerts(deps: AlertsDeps): Alerts {
  const { context, ledger, watch, attention, notifications, scheduled } = deps;
  const { world, calendarOf } = context;
  const { name: profile } = context.profile;
  const { ruleStore } = notifications;
  const actions = createAlertActions({ context, ledger, desk: deps.desk });
  const downtime = createDowntimeSummary(ledger, watch.isWatched);
  const absence = createAbsence({ ledger, world, attention, downtime });
  let isStopped = false;
  const inbox = createInboxPages({ ledger, profile, calendarOf, watch, scheduled, attention, rules: ruleStore.rules });
  const notes = createSymbolNotes({ ledger, clock: context.guard.clock, events: context.events });
  const view = createAlertingView({ context, mutes: ledger.mutes, notifications, downtime, notes });

  return {
    actions,
    channelAnswers: createChannelAnswers({ context, ledger, ...notifications, actions }),
    handlers: {
      'alerting.read': view.read,
      'alerts.read': inbox.page,
      'localAlerts.read': inbox.prices,
      'alerts.find': ({ name }) => inbox.find(name),
      'alerts.trace': ({ ledger_id }) => inbox.trace(ledger_id),
      'alerts.acknowledge': ({ ledger_ids, acknowledged }) => {
        actions.acknowledge(ledger_ids, acknowledged);
        return {};
      },
      'alerts.snooze': ({ ledger_ids, until }) => {
        actions.snooze(ledger_ids, until);
        return {};
      },
      'alerts.unsnooze': ({ ledger_ids }) => {
        actions.unsnooze(ledger_ids);
        return {};
      },
      'alerts.note': ({ ledger_id, note }) => {
        actions.note(ledger_id, note);
        return {};
      },
      ...notes.handlers,
      'alerts.clicked': ({ notification_id }) => ({ route: actions.answer(notification_id, 'open') ?? null }),
      'alerts.shown': ({ notification_id, browser_revision }) => {
        notifications.takenByWindow(notification_id, browser_revision);
        return {};
      },
      'silences.add': (silence) => ({ id: actions.silence(silence) }),
      'silences.edit': ({ id, silence }) => {
        actions.editSilence(id, silence);
        return {};
      },
      'mutes.end': ({ id }) => {
        actions.endMute(id);
        return {};
      },
      'downtime.acknowledge': () => {
        const seen = downtime.read();
        if (seen !== null) {
          const ended = absence.endedWithin(Date.parse(seen.from), Date.parse(seen.until));
          if (ended.length > 0) actions.seen(ended);
        }
        downtime.acknowledge();
        view.changed();
        return {};
      },
    },
    on: {
      recorded({ added, waits }) {
        downtime.added(added);
        if (waits) view.changed();
      },
      caughtUp({ gaps }) {
        const until = timestamp(latestInstant(world, ledger));
        const isDown = downtime.ended(gaps, until);
        if (absence.check() || isDown) view.changed();
      },
      windowsChanged(event) {
        // Windows may outlive the core, whose ledger is closed then.
        if (isStopped) return;
        absence.windowsChanged(event);
        if (absence.check()) view.changed();
      },
      ledgerWritten({ isRenumbered }) {
        if (!isRenumbered) return;
        downtime.renumbered();
        notes.renumbered();
      },
      mutesChanged: view.changed,
      rulesChanged: view.changed,
      symbolNotesChanged: view.changed,
    },
    stop() {
      isStopped = true;
      view.stop();
    },
  };
}

/**
 * The instant up to which events were read, world time, ms. Fetched events may be later than the estimated world
 * time, but by no more than its error: an event further ahead has a wrong date.
 */
function latestInstant(world: CoreContext['world'], ledger: Pick<Ledger, 'entries'>): number {
  const now = world.now();
  const latest = now + ESTIMATE_ERROR * Math.max(1, world.view().speed);
  const [newest] = ledger.entries.signalsBefore(Math.floor(latest / 1000) + 1, 0, 1);
  return Math.max(now, newest?.occurredAt ?? 0);
}
