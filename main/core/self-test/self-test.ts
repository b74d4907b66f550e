// Main, core: the self-test as a module: the window's calls, and the events that it follows.
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SelfTestChannels, SelfTestView } from '../../../shared/channels/self-test.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { CoreModule } from '../module.ts';
import { createSelfTestRunner, type SelfTestRunnerDeps } from './runner.ts';
import { currentStep, selfTestNotificationId, selfTestOf } from './state.ts';

export interface SelfTest extends CoreModule {
  readonly handlers: Handlers<SelfTestChannels>;
}

export interface SelfTestDeps extends Omit<SelfTestRunnerDeps, 'show'> {
  /** Watched and covered symbols, the best one first. */
  readonly symbols: () => readonly string[];
  readonly broadcast: (name: 'selfTest.changed', view: SelfTestView) => void;
}

/** Starts before open intents are dispatched: a test that a restart ended withdraws its notification. */
export function createSelfTest(deps: SelfTestDeps): SelfTest {
  const { guard, symbols, broadcast } = deps;
  const show = (): void => broadcast('selfTest.changed', view());
  const runner = createSelfTestRunner({ ...deps, show });
  const view = (): SelfTestView => {
    const test = runner.test();
    return { last: test === null ? null : selfTestOf(test), reason: reason() };
  };
  /** Why none can be started now. */
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
