// Main, core: where the service of a profile is. A service that starts with this program has no address before.
import type { Service } from '../../../client/address.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { ShownProgress } from '../../../shared/lib/progress.ts';
import { type Message, message } from '../../../shared/text/message.ts';

export type ServiceStart =
  | { readonly kind: 'starting'; readonly progress: ShownProgress | null }
  /** It is tried again. */
  | { readonly kind: 'failed'; readonly why: string }
  /** For good: a service that ends later starts again at the same address. */
  | { readonly kind: 'ready'; readonly service: Service };

export interface ServiceSource {
  status(): ServiceStart;
  /** Calls the listener when the status has changed. */
  onChange(listener: () => void): Cancel;
  /** Tries a failed start again now. */
  retry(): void;
}

/** A service that does not start with this program. */
export const serviceAt = (service: Service): ServiceSource => ({
  status: () => ({ kind: 'ready', service }),
  onChange: () => () => undefined,
  retry: () => undefined,
});

/** The start of a service inside this program, as a message; `why` of a failed one says the cure. */
export function startMessage(source: Pick<ServiceSource, 'status'>): Message | null {
  const start = source.status();
  if (start.kind === 'failed') return message('service.not_started', { why: start.why });
  if (start.kind === 'ready') return null;
  const { progress } = start;
  return message('service.starting', { progress: progress === null ? null : message('work.progress', progress) });
}

/** Resolves when the service is ready. Rejects with the reason of the first failure. */
export function whenReady(source: Pick<ServiceSource, 'status' | 'onChange'>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    const start = source.status();
    if (start.kind === 'ready') resolve();
    else if (start.kind === 'failed') reject(new Error(start.why));
  };
  const cancel = source.onChange(check);
  check();
  return promise.finally(cancel);
}
