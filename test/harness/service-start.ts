// Test harness: the start of a service, which a test moves on.
import { type ServiceSource, type ServiceStart, whenReady } from '../../main/core/connection/service-source.ts';

export interface ServiceStartRig extends ServiceSource {
  become(next: ServiceStart): void;
  /** How often a failed start was to be tried again at once. */
  retries: number;
}

export function createServiceStart(first: ServiceStart = { kind: 'starting', progress: null }): ServiceStartRig {
  let status = first;
  const listeners = new Set<() => void>();
  return {
    retries: 0,
    status: () => status,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    retry() {
      this.retries += 1;
    },
    become(next) {
      status = next;
      for (const listener of listeners) listener();
    },
  };
}

/** Address and key of a service, once it is ready. */
export async function addressOf(source: ServiceSource): Promise<{ readonly baseUrl: string; readonly key: string }> {
  await whenReady(source);
  const start = source.status();
  if (start.kind !== 'ready' || start.service.key === null) throw new Error('the service has no key');
  return { baseUrl: start.service.baseUrl, key: start.service.key };
}
