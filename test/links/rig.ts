// Test: the interface of a link under test, and the channels and handlers of the table of cases.
// One table of cases runs over every link.
import { z } from 'zod';
import { intent, push, query, RefusedError } from '../../shared/channels/channel.ts';
import { createDispatch, createPusher, createWindowEnd, type Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink, LinkedCore, WindowLink } from '../../shared/channels/link.ts';
import { plainMessage } from '../../shared/text/message.ts';

export const table = {
  'test.echo': query(z.strictObject({ text: z.string() }), z.strictObject({ text: z.string() })),
  'test.slow': query(z.strictObject({ order: z.number() }), z.strictObject({ order: z.number() })),
  'test.refuse': intent(z.strictObject({}), z.strictObject({})),
  'test.fail': query(z.strictObject({}), z.strictObject({})),
  'test.lie': query(z.strictObject({}), z.strictObject({ count: z.number() })),
  'test.pushed': push(z.strictObject({ number: z.number() })),
} as const;

/** A core for windows: counts its calls and pushes to every attached window. */
export class TestCore implements LinkedCore {
  readonly calls: string[] = [];
  readonly faults: string[] = [];
  readonly #links = new Set<CoreLink>();
  /** Answers the slow calls, the last one first. */
  readonly slow: (() => void)[] = [];

  get attached(): number {
    return this.#links.size;
  }

  readonly dispatch = async (name: string, payload: unknown) => {
    this.calls.push(name);
    return this.#dispatch(name, payload);
  };

  attach(link: CoreLink) {
    this.#links.add(link);
    return () => void this.#links.delete(link);
  }

  send(number: number): void {
    for (const link of this.#links) createPusher(table, link)('test.pushed', { number });
  }

  /** Pushes what does not fit its schema. */
  sendRaw(name: string, payload: unknown): void {
    for (const link of this.#links) link.push(name, payload);
  }

  readonly #handlers: Handlers<typeof table> = {
    'test.echo': (input) => input,
    'test.slow': (input) => new Promise((resolve) => this.slow.push(() => resolve(input))),
    'test.refuse': () => {
      throw new RefusedError({ code: 'refused', message: plainMessage('SPY is not watched.') });
    },
    'test.fail': () => {
      throw new Error('the ledger is closed');
    },
    // Something that the types forbid a handler.
    'test.lie': () => JSON.parse('{"count": "three"}'),
  };
  readonly #dispatch = createDispatch(table, this.#handlers, (name) => this.faults.push(name));
}

/** A link under test: one window on one core. */
export interface LinkRig {
  readonly core: TestCore;
  readonly window: WindowLink;
  /** Cuts the link as this transport can be cut; `mend` restores it. Both resolve at once: the link notices by itself. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Windows that must get no answer: another page, no session, a wrong session. Empty where no other can connect. */
  readonly strangers: readonly { readonly name: string; open(): Promise<WindowLink> }[];
  close(): Promise<void>;
}

export const ends = (window: WindowLink, bad: string[] = []) =>
  createWindowEnd(table, window, (problem) => bad.push(problem));

/** Resolves when the link says that it is up, or down. */
export function until(window: WindowLink, expected: boolean): Promise<void> {
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    let done = false;
    cancel = window.watch((up) => {
      if (up !== expected || done) return;
      done = true;
      // The first call comes before `cancel` is assigned.
      queueMicrotask(() => cancel());
      resolve();
    });
  });
}
