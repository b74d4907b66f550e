// Test: what a link must offer, so that the one table of cases can run over it; and the channels and handlers of that table.
import { z } from 'zod';
import { intent, push, query, RefusedError } from '../../shared/channels/channel.ts';
import { createDispatch, createPusher, createWindowEnd, type Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink, LinkedCore, WindowLink } from '../../shared/channels/link.ts';

export const table = {
  'test.echo': query(z.strictObject({ text: z.string() }), z.strictObject({ text: z.string() })),
  'test.slow': query(z.strictObject({ order: z.number() }), z.strictObject({ order: z.number() })),
  'test.refuse': intent(z.strictObject({}), z.strictObject({})),
  'test.fail': query(z.strictObject({}), z.strictObject({})),
  'test.lie': query(z.strictObject({}), z.strictObject({ count: z.number() })),
  'test.pushed': push(z.strictObject({ number: z.number() })),
} as const;

/** A core that a window can hang on: it counts what it was asked and pushes to whoever is attached. */
export class TestCore implements LinkedCore {
  readonly calls: string[] = [];
  readonly faults: string[] = [];
  readonly #links = new Set<CoreLink>();
  /** Lets the slow calls answer, the last one first. */
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

  /** Pushes what no pusher would let through. */
  sendRaw(name: string, payload: unknown): void {
    for (const link of this.#links) link.push(name, payload);
  }

  readonly #handlers: Handlers<typeof table> = {
    'test.echo': (input) => input,
    'test.slow': (input) => new Promise((resolve) => this.slow.push(() => resolve(input))),
    'test.refuse': () => {
      throw new RefusedError({ code: 'refused', message: 'SPY is not watched.' });
    },
    'test.fail': () => {
      throw new Error('the ledger is closed');
    },
    // What a handler must not do, and can, where its types are got round.
    'test.lie': () => JSON.parse('{"count": "three"}'),
  };
  readonly #dispatch = createDispatch(table, this.#handlers, (name) => this.faults.push(name));
}

/** A link under test: one window on one core. */
export interface LinkRig {
  readonly core: TestCore;
  readonly window: WindowLink;
  /** Cuts the link as this transport can be cut; `mend` makes it whole. Both resolve at once: the link finds out by itself. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Windows that must not be answered: another page, no session, a wrong one. Empty where nobody else can come in. */
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
      // The first call comes before `cancel` is there.
      queueMicrotask(() => cancel());
      resolve();
    });
  });
}
