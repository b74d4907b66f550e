// Main, service: runs the service inside the app in a thread, and restarts it when the thread ends.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Worker } from 'node:worker_threads';
import type { PriceFolder } from '../../shared/channels/profiles.ts';
import { backoffDelay } from '../../shared/lib/backoff.ts';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { formKey, KEY_ENTROPY_BYTES } from '../../shared/wire/keys.ts';
import type { ServiceStart } from '../core/connection/service-source.ts';
import type { EmbeddedOptions, EmbeddedService, EmbeddedServices } from '../host/embedded-service.ts';
import { checkPrices, createFeedChecker } from './checks.ts';
import { CLOSE, type Controls, SERVICE_THREAD, type ServiceTask, startServiceThread } from './service-thread.ts';

/** The world of the first run, the same for everyone. */
const SEED = 7;
/** Time limit of closing before the thread is terminated, ms. */
const CLOSE_LIMIT = 1_500;
const RESTART = { base: 1_000, cap: 30_000 };

/**
 * Runs a service beside the app. Restarts it when its thread dies: at the same address once it was ready.
 * @param script program of the thread: the service, except in tests
 */
export function startEmbeddedService(
  { db, prices, feed, feedKey, scenario, findProxy, say }: EmbeddedOptions & { readonly findProxy: FindProxy },
  script = SERVICE_THREAD,
  random = Math.random,
): EmbeddedService {
  let closing = false;
  let attempt = 0;
  let controls: Controls = { feedKey, isPaused: prices !== null && prices.replay !== null };
  let worker: Worker;
  let timer: NodeJS.Timeout | undefined;
  let status: ServiceStart = { kind: 'starting', progress: null };
  let folder: PriceFolder | null = null;
  const listeners = new Set<() => void>();
  const isSimulated = prices === null && feed === null;
  const key = formKey(isSimulated ? 'sandbox' : 'production', randomBytes(KEY_ENTROPY_BYTES));
  const task: ServiceTask = { task: 'barograph-service', db, seed: SEED, prices, feed, scenario, key, port: 0 };

  const change = (next: ServiceStart): void => {
    if (status.kind === 'ready' || closing || isDeepStrictEqual(next, status)) return;
    status = next;
    for (const listener of listeners) listener();
  };
  const open = (): Worker => {
    const port = status.kind === 'ready' ? Number(new URL(status.service.baseUrl).port) : 0;
    const started = startServiceThread(script, { ...task, port }, controls, {
      findProxy,
      say,
      onProgress: (progress) => change({ kind: 'starting', progress }),
      onFolder: (found) => {
        folder = found;
      },
    });
    started.url.then(
      (baseUrl) => {
        attempt = 0;
        change({ kind: 'ready', service: { baseUrl, key } });
        void started.ended.then(replace);
      },
      (problem) => {
        if (closing) return;
        if (status.kind === 'ready')
          say(`The service inside the app does not start (${messageOf(problem)}). It is tried again.`);
        change({ kind: 'failed', why: messageOf(problem) });
        openLater();
      },
    );
    return started.worker;
  };
  const replace = (why: string): void => {
    if (closing) return;
    say(`The service inside the app stopped (${why}). It is started again.`);
    openLater();
  };
  const openLater = (): void => {
    timer = setTimeout(openNow, backoffDelay(attempt++, RESTART, random, 100));
  };
  const openNow = (): void => {
    timer = undefined;
    worker = open();
  };
  openNow();
  const control = (next: Partial<Controls>): void => {
    controls = { ...controls, ...next };
    worker.postMessage(controls);
  };

  return {
    status: () => status,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    retry() {
      if (timer === undefined) return;
      clearTimeout(timer);
      openNow();
    },
    seed: isSimulated ? SEED : null,
    folder: () => folder,
    setFeedKey: (next) => control({ feedKey: next }),
    pause: (isPaused) => control({ isPaused }),
    async close() {
      closing = true;
      clearTimeout(timer);
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
