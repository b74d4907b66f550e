// Service: the sandbox as an app runs it inside itself (in a worker thread): the whole service, on a loopback port.
import { randomBytes } from 'node:crypto';
import { createClock } from '../shared/lib/clock.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import { REAL_TIME, type WorldTime } from './market/world-clock.ts';
import { IN_MEMORY } from './store/store.ts';

export interface EmbeddedOptions {
  readonly seed: number;
  /** File in which the world goes on over restarts; null: a new one each time, in memory. */
  readonly db: string | null;
  /** A svc_test_ key that is to be live. */
  readonly key: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly time?: WorldTime;
  readonly logger?: Logger;
}

export interface Embedded {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Resolves when every route answers. @throws StoreError when `db` cannot be used */
export async function startEmbedded({ seed, db, key, port, time = REAL_TIME, logger = silent }: EmbeddedOptions): Promise<Embedded> {
  const { url, close } = await listen(
    { world: { kind: 'sandbox', seed }, time, file: db ?? IN_MEMORY },
    { clock: createClock({ now: Date.now, setTimeout, clearTimeout }), logger, randomBytes },
    { port, key },
  );
  return { url, key, close };
}
