// Test harness: opens applications on a folder and a scripted network; closes them after a test.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ServiceStart } from '../../main/core/connection/service-source.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings } from '../../main/core/profiles/settings.ts';
import { type Application, openApplication } from '../../main/host/application.ts';
import type { EmbeddedOptions, FeedChecker, PriceChecker } from '../../main/host/embedded-service.ts';
import type { StartRequest } from '../../main/host/folder-claim.ts';
import type { Answer } from '../../shared/channels/channel.ts';
import type { PriceFolder } from '../../shared/channels/profiles.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { PriceFeedSettings } from '../../shared/settings/profiles.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { createFakeKeychain, type FakeKeychain } from './fake-keychain.ts';
import { createServiceStart, type ServiceStartRig } from './service-start.ts';

export interface ApplicationBench {
  folder: string;
  said: string[];
  /** Notifications that were withdrawn: "PROFILE/ID". */
  withdrawn: string[];
  /** Whether the desktop shows notifications, and the texts that it got. */
  hasDesktop: boolean;
  shown: string[];
  requests: { url: string; key: string | null }[];
  /** Running applications; a test that closes one itself removes it. */
  open: Application[];
  /** What the service inside the app was started with, in order. */
  started: EmbeddedOptions[];
  /** Their starts. */
  starts: ServiceStartRig[];
  /** What the service finds in its price folder. */
  priceFolder: PriceFolder | null;
  /** Later keys of a feed, in order. */
  feedKeys: (string | null)[];
  /** Whether its replay was paused or let run, in order. */
  paused: boolean[];
  keychain: FakeKeychain;
  /** By default it answers only requests without a key; the core repeats the others. */
  answer: (url: URL, key: string | null) => Response;
  settle(...profiles: Profile[]): void;
  settings(): Settings;
  attempt(more?: ApplicationChanges): ReturnType<typeof openApplication>;
  start(more?: ApplicationChanges): Promise<Application>;
  call(application: Application, name: string, payload?: object, profile?: string): Promise<Answer | undefined>;
}

/** Options of an application that tests set. */
export interface ApplicationChanges {
  readonly profile?: string;
  readonly feed?: PriceFeedSettings;
  readonly alone?: StartRequest['alone'];
  readonly environment?: NodeJS.ProcessEnv;
  readonly checkPrices?: PriceChecker;
  readonly checkFeed?: FeedChecker;
  /** Happens while the service inside the app starts; an error is that of the start. */
  readonly whileStarting?: () => Promise<void>;
}

export const READY: ServiceStart = {
  kind: 'ready',
  service: { baseUrl: 'http://127.0.0.1:9', key: 'svc_test_0000000000000000' },
};
const noPrices: PriceChecker = () => Promise.reject(new Error('no prices here'));
const noFeed: FeedChecker = () => Promise.reject(new Error('no feed here'));

export const SIMULATED: Profile = {
  name: 'sandbox',
  environment: 'sandbox',
  baseUrl: null,
  mode: 'auto',
  enabled: true,
};
export const remote = (name: string, port: number): Profile => ({
  name,
  environment: 'production',
  baseUrl: `http://127.0.0.1:${port}`,
  mode: 'api-key',
  enabled: true,
});

/** Call at the top of a test file. */
export function setUpApplicationBench(): ApplicationBench {
  const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
  const bench: ApplicationBench = {
    folder: '',
    said: [],
    withdrawn: [],
    hasDesktop: false,
    shown: [],
    requests: [],
    open: [],
    started: [],
    starts: [],
    priceFolder: null,
    feedKeys: [],
    paused: [],
    keychain: createFakeKeychain(),
    answer: onlyOpen,
    settle: (...profiles) =>
      writeFileSync(join(bench.folder, 'settings.json'), JSON.stringify({ ...DEFAULT_SETTINGS, profiles })),
    settings: () => JSON.parse(readFileSync(join(bench.folder, 'settings.json'), 'utf8')),
    attempt: ({
      profile = null,
      feed = null,
      alone,
      environment = {},
      checkPrices = noPrices,
      checkFeed = noFeed,
      whileStarting,
    } = {}) =>
      openApplication({
        request: { dataFolder: bench.folder, profile, feed, ...(alone === undefined ? {} : { alone }) },
        machine: {
          clock,
          random: () => 0.5,
          platform: 'linux',
          environment,
          fetch: async (url, init) => {
            const key = new Headers(init?.headers).get('x-api-key');
            bench.requests.push({ url, key });
            return bench.answer(new URL(url), key);
          },
          listener: () => ({ owner: 'self', socket: null }),
          startKeychain: bench.keychain.start,
        },
        embedded: {
          start(options) {
            bench.started.push(options);
            const source = createServiceStart(whileStarting === undefined ? READY : undefined);
            bench.starts.push(source);
            whileStarting?.().then(
              () => source.become(READY),
              (error) => source.become({ kind: 'failed', why: messageOf(error) }),
            );
            return {
              ...source,
              seed: options.prices === null ? 7 : null,
              folder: () => (options.prices === null ? null : bench.priceFolder),
              pause: (isPaused) => void bench.paused.push(isPaused),
              setFeedKey: (feedKey) => void bench.feedKeys.push(feedKey),
              close: async () => undefined,
            };
          },
          checkPrices,
          checkFeed,
        },
        notifier: {
          status: () => ({ tier: bench.hasDesktop ? 'system' : 'in_app', detail: plainMessage('') }),
          async show({ body }) {
            bench.shown.push(body);
            return { tier: bench.hasDesktop ? 'system' : 'in_app', detail: plainMessage('') };
          },
          withdraw: ({ profile, id }) => void bench.withdrawn.push(`${profile}/${id}`),
        },
        openWindow: async (name) => `http://127.0.0.1:1/#token=${name}`,
        say: (line) => bench.said.push(line),
      }),
    async start(more) {
      const outcome = await bench.attempt(more);
      if (!('application' in outcome)) throw new Error('occupied');
      bench.open.push(outcome.application);
      return outcome.application;
    },
    async call(application, name, payload = {}, profile = application.shown) {
      return application.core(profile)?.dispatch(name, payload);
    },
  };
  beforeEach(() => {
    Object.assign(bench, {
      folder: mkdtempSync(join(tmpdir(), 'barograph-application-')),
      said: [],
      withdrawn: [],
      hasDesktop: false,
      shown: [],
      requests: [],
      open: [],
      started: [],
      starts: [],
      priceFolder: null,
      paused: [],
      feedKeys: [],
      keychain: createFakeKeychain(),
      answer: onlyOpen,
    });
  });
  afterEach(async () => {
    for (const application of bench.open) await application.close();
    rmSync(bench.folder, { recursive: true, force: true });
  });
  return bench;
}

function onlyOpen(url: URL): Response {
  if (url.pathname === '/') return Response.json({});
  if (url.pathname === '/proof') return new Response(null, { status: 404 });
  throw new Error('no network in here');
}
