// Service, stream: the open streams, counted by key; ends those whose key was revoked.
import { type Cancel, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { ServiceHost } from '../host.ts';
import type { Reader } from './reader.ts';

/** Maximum delay before the streams of a revoked key end, ms. */
const KEY_CHECK_MS = 1_000;

export class OpenReaders {
  readonly #host: Pick<ServiceHost, 'clock' | 'logger'>;
  readonly #keyIsLive: (id: string) => boolean;
  /** Readers, with the key of each. */
  readonly #readers = new Map<Reader, string>();
  readonly #perKey = new Map<string, number>();
  #stopChecks: Cancel | null = null;

  readonly #onCheck: () => void;

  /** @param onCheck called every second while there are readers */
  constructor(
    host: Pick<ServiceHost, 'clock' | 'logger'>,
    keyIsLive: (id: string) => boolean,
    onCheck: () => void = () => undefined,
  ) {
    this.#host = host;
    this.#keyIsLive = keyIsLive;
    this.#onCheck = onCheck;
  }

  get size(): number {
    return this.#readers.size;
  }

  all(): Iterable<Reader> {
    return this.#readers.keys();
  }

  ofKey(keyId: string): number {
    return this.#perKey.get(keyId) ?? 0;
  }

  add(reader: Reader, keyId: string): void {
    this.#readers.set(reader, keyId);
    this.#perKey.set(keyId, this.ofKey(keyId) + 1);
    this.#stopChecks ??= every(this.#host.clock, KEY_CHECK_MS, () => {
      this.#checkKeys();
      this.#onCheck();
    });
  }

  remove(reader: Reader): void {
    const keyId = this.#readers.get(reader);
    if (keyId === undefined) return;
    this.#readers.delete(reader);
    const left = this.ofKey(keyId) - 1;
    if (left > 0) this.#perKey.set(keyId, left);
    else this.#perKey.delete(keyId);
    if (this.#readers.size > 0) return;
    this.#stopChecks?.();
    this.#stopChecks = null;
  }

  #checkKeys(): void {
    const ended = this.#endedKeys();
    if (ended.size === 0) return;
    for (const [reader, id] of [...this.#readers])
      if (ended.has(id)) reader.end('the key of this stream was revoked or has ended');
  }

  #endedKeys(): ReadonlySet<string> {
    try {
      return new Set([...this.#perKey.keys()].filter((id) => !this.#keyIsLive(id)));
    } catch (error) {
      // A locked or failing store must not end the process; the next check asks again.
      this.#host.logger.warn({ problem: messageOf(error) }, 'the keys of open streams could not be checked');
      return new Set();
    }
  }
}
