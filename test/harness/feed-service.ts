// Test harness: a service on the prices of a vendor, in this process, on a manual clock.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { assemble, type ServiceConfig } from '../../service/assemble.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import { eventually } from './eventually.ts';
import type { ManualClock } from './manual-clock.ts';

type FeedWorld = Extract<ServiceConfig['world'], { kind: 'feed' }>;

export interface FeedService {
  readonly notices: string[];
  /** Of the log: of warnings and errors, what they are about. */
  readonly errors: string[];
  /** Starts, after the one before has ended, on the same store. */
  start(world: Omit<FeedWorld, 'kind'>, feedKey?: string | null): Promise<void>;
  /** Another key from now on. */
  replaceKey(feedKey: string): void;
  close(): Promise<void>;
  /** The answer's body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds.
  get(url: string): Promise<any>;
  /** The status of an answer to a JSON body. */
  post(url: string, body: object): Promise<number>;
  /** Lets time of the clock and of the sockets pass until it holds. */
  passing(holds: () => unknown): Promise<unknown>;
}

/** @param folder of the store */
export function feedService(folder: string, clock: ManualClock): FeedService {
  const [notices, errors]: [string[], string[]] = [[], []];
  let service: Service | null = null;
  let key = '';
  let feedKey: string | null = null;
  const note = (fields: { error?: string }): void => void errors.push(fields.error ?? '');
  const passing = (holds: () => unknown): Promise<unknown> =>
    eventually(async () => {
      await clock.advance(500);
      await holds();
    });
  return {
    notices,
    errors,
    passing,
    async start(world, given = null) {
      feedKey = given;
      service = assemble(
        { world: { kind: 'feed', ...world }, time: REAL_TIME, file: join(folder, 'service.db') },
        {
          clock,
          logger: { debug: () => undefined, info: () => undefined, warn: note, error: note },
          randomBytes,
          keyScope: 'account',
          publicUrl: () => 'http://127.0.0.1:1',
          checkReplies: true,
          plans: { plan: 'institutional' },
          feedKey: () => feedKey,
          onFeedNotice: (text) => void notices.push(text),
        },
      );
      key = service.admitKey(null) ?? key;
      let isStarted = false;
      const starting = service.start().then(() => {
        isStarted = true;
      });
      await passing(() => expect(isStarted).toBe(true));
      await starting;
    },
    replaceKey(given) {
      feedKey = given;
    },
    async close() {
      await service?.close();
      service = null;
    },
    post: async (url, payload) =>
      (await service?.app.inject({ method: 'POST', url, payload, headers: { 'x-api-key': key } }))?.statusCode ?? 0,
    get: async (url) => (await service?.app.inject({ url, headers: { 'x-api-key': key } }))?.json(),
  };
}
