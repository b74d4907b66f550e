// Main, core: the self-test as a module: the window's calls, and the events that it follows.
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SelfTestChannels, SelfTestView } from '../../../shared/channels/self-test.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { ServiceAccess } from '../keys/service-access.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../rows.ts';
import { createSelfTestRunner, type SelfTestRunnerDeps } from './runner.ts';
import { createSelfTestSender, type SelfTestSenderOptions } from './sender.ts';
import { currentStep, selfTestNotificationId, selfTestOf } from './state.ts';

export interface SelfTest extends CoreModule {
  readonly handlers: Handlers<SelfTestChannels>;
}

export interface SelfTestDeps {
  readonly context: CoreContext;
  readonly ledger: SelfTestRunnerDeps['ledger'];
  readonly service: Pick<ServiceAccess, 'client' | 'mayAsk' | 'unavailableReason'>;
  readonly relay: SelfTestSenderOptions['relay'];
  readonly notifications: Pick<Notifications, 'dryRun' | 'wake'>;
  readonly watch: Watch;
  readonly rows: RowTable;
  readonly broadcast: (name: 'selfTest.changed', view: SelfTestView) => void;
}

/**
 * Start it before pending notifications are dispatched: a test that a restart ended withdraws its
 * notification.
 */
export function createSelfTest(deps: SelfTestDeps): SelfTest {
  const { context, ledger, service, relay, notifications, watch, rows, broadcast } = deps;
  const { guard, profile, world } = context;
  const { client, mayAsk, unavailableReason } = service;
  const symbols = () => testSymbols(watch, rows);
  const sender = createSelfTestSender({ client, profile, relay, world, mayAsk, reason: unavailableReason });
  const show = (): void => broadcast('selfTest.changed', view());
  const { dryRun, wake } = notifications;
  const runner = createSelfTestRunner({ guard, ledger, sender, dryRun, wake, show });
  const view = (): SelfTestView => {
    const test = runner.test();
    return { last: test === null ? null : selfTestOf(test), reason: reason() };
  };
  /** Why no self-test can start now. */
  const reason = (): Message | null => {
    if (runner.isRunning()) return message('self_test.running');
    return symbols().length === 0 ? message('self_test.nothing_watched') : null;
  };
  return {
    handlers: {
      'selfTest.read': view,
      'selfTest.run': () => {
        const why = reason();
        if (why !== null) throw refused(why);
        runner.begin(symbols()[0] ?? '');
        return {};
      },
      'selfTest.acknowledge': () => {
        const test = runner.test();
        if (test === null || !runner.isRunning() || currentStep(test) !== 'acknowledged')
          throw refused(message('self_test.not_waiting'));
        runner.acknowledge(message('self_test.acknowledged_here'));
        return {};
      },
    },
    start: () => guard.run(runner.resume),
    stop: runner.stop,
    on: {
      recorded: runner.observe,
      notificationClicked({ notificationId }) {
        const test = runner.test();
        if (test !== null && notificationId === selfTestNotificationId(test))
          runner.acknowledge(message('self_test.acknowledged_there'));
      },
    },
  };
}

/** Watched symbols that the service is known to cover, or else all watched ones; the selected one first. */
function testSymbols(watch: Watch, rows: RowTable): string[] {
  const watched = watch.symbols().filter(watch.isWatched);
  const first = (symbol: string): number => (symbol === watch.selected() ? 0 : 1);
  const covered = watched.filter((symbol) => rows.get(symbol)?.coverage === 'full');
  return (covered.length > 0 ? covered : watched).sort((a, b) => first(a) - first(b));
}
