// Main, service: runs the service inside the app in a thread, and restarts it when the thread ends.
import { randomBytes } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { backoffDelay } from '../../shared/lib/backoff.ts';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { formKey, KEY_ENTROPY_BYTES } from '../../shared/wire/keys.ts';
import type { EmbeddedOptions, EmbeddedService, EmbeddedServices } from '../host/embedded-service.ts';
import { checkPrices, createFeedChecker } from './checks.ts';
import {
  CLOSE,
  type Controls,
  SERVICE_THREAD,
  type ServiceTask,
  startServiceThread,
  type ThreadHost,
} from './service-thread.ts';

/** The world of the first run, the same for everyone. */
const SEED = 7;
/** Time limit of closing before the thread is terminated, ms. */
const CLOSE_LIMIT = 1_500;
const RESTART = { base: 1_000, cap: 30_000 };

/**
 * Runs a service beside the app and restarts it, at the same address, when its thread dies.
 * @param script program of the thread: the service, except in tests
 * @throws Error when the first start fails
 */
export async function startEmbeddedService(
  { db, prices, feed, feedKey, scenario, ...host }: EmbeddedOptions & ThreadHost,
  script = SERVICE_THREAD,
  random = Math.random,
): Promise<EmbeddedService> {
  const { say } = host;
  let closing = false;
  let attempt = 0;
  let controls: Controls = { feedKey, isPaused: prices !== null && prices.replay !== null };
  let timer: NodeJS.Timeout | undefined;
  const isSimulated = prices === null && feed === null;
  const key = formKey(isSimulated ? 'sandbox' : 'production', randomBytes(KEY_ENTROPY_BYTES));
  const task: ServiceTask = { task: 'barograph-service', db, seed: SEED, prices, feed, scenario, key, port: 0 };
  let running = await startServiceThread(script, task, controls, host);
  const control = (change: Partial<Controls>): void => {
    controls = { ...controls, ...change };
    running.worker.postMessage(controls);
  };
  const { url } = running;
  const again = { ...task, port: Number(new URL(url).port) };

  const keep = (worker: Worker): void => {
    let why = 'it ended';
    worker.on('error', (problem) => {
      why = messageOf(problem);
    });
    worker.on('exit', () => {
      if (closing) return;
      say(`The service inside the app stopped (${why}). It is started again.`);
      restart();
    });
  };
  const startAgain = (): void => {
    const given = controls;
    startServiceThread(script, again, given, host).then(
      (started) => {
        attempt = 0;
        running = started;
        if (closing) return void started.worker.terminate();
        keep(started.worker);
        // A change meanwhile was sent to the thread that had ended.
        if (controls !== given) control({});
      },
      (problem) => {
        say(`The service inside the app does not start (${messageOf(problem)}). It is tried again.`);
        if (!closing) restart();
      },
    );
  };
  const restart = (): void => {
    timer = setTimeout(startAgain, backoffDelay(attempt++, RESTART, random, 100));
  };
  keep(running.worker);

  return {
    url,
    key,
    seed: isSimulated ? SEED : null,
    setFeedKey: (next) => control({ feedKey: next }),
    pause: (isPaused) => control({ isPaused }),
    async close() {
      closing = true;
      clearTimeout(timer);
      const { worker } = running;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage(CLOSE);
      const limit = setTimeout(() => void worker.terminate(), CLOSE_LIMIT);
      // A thread that has ended emits no event.
      if (worker.threadId !== -1) await ended;
      clearTimeout(limit);
    },
  };
}

/** @param findProxy of the requests for prices */
export const embeddedServices = (findProxy: FindProxy): EmbeddedServices => ({
  start: (options) => startEmbeddedService({ ...options, findProxy }),
  checkPrices,
  checkFeed: createFeedChecker(findProxy),
});
