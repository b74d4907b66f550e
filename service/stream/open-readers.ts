// Service, stream: the open streams, counted by key; ends those whose key was revoked.
import { type Cancel, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { ServiceHost } from '../host.ts';
import type { Reader } from './reader.ts';

/** Maximum delay before the streams of a revoked key end, ms. */
const KEY_CHECK_MS = 1_000;

/** @param onCheck receives the readers every second while there are any */
export function createOpenReaders(
  { clock, logger }: Pick<ServiceHost, 'clock' | 'logger'>,
  keyIsLive: (id: string) => boolean,
  onCheck: (open: Iterable<Reader>) => void = () => undefined,
) {
  /** Readers, with the key of each. */
  const readers = new Map<Reader, string>();
  const perKey = new Map<string, number>();
  let stopChecks: Cancel | null = null;
  const ofKey = (keyId: string): number => perKey.get(keyId) ?? 0;
  const endedKeys = (): ReadonlySet<string> => {
    try {
      return new Set([...perKey.keys()].filter((id) => !keyIsLive(id)));
    } catch (error) {
      // A locked or failing store must not end the process; the next check asks again.
      logger.warn({ problem: messageOf(error) }, 'the keys of open streams could not be checked');
      return new Set();
    }
  };
  const check = (): void => {
    const ended = endedKeys();
    for (const [reader, id] of ended.size === 0 ? [] : [...readers])
      if (ended.has(id)) reader.end('the key of this stream was revoked or has ended');
    onCheck(readers.keys());
  };
  return {
    size: () => readers.size,
    all: (): Iterable<Reader> => readers.keys(),
    ofKey,
    add(reader: Reader, keyId: string): void {
      readers.set(reader, keyId);
      perKey.set(keyId, ofKey(keyId) + 1);
      stopChecks ??= every(clock, KEY_CHECK_MS, check);
    },
    remove(reader: Reader): void {
      const keyId = readers.get(reader);
      if (keyId === undefined) return;
      readers.delete(reader);
      if (ofKey(keyId) > 1) perKey.set(keyId, ofKey(keyId) - 1);
      else perKey.delete(keyId);
      if (readers.size > 0) return;
      stopChecks?.();
      stopChecks = null;
    },
  };
}
