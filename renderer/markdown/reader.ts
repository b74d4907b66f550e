// Renderer: has texts laid out by a worker, and gives up after a while: then the text is shown as it was written.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { type Laid, MOST_CHARACTERS, type TextForm } from './laid.ts';

export interface LayOutRequest {
  readonly id: number;
  readonly body: string;
  readonly form: TextForm;
}
export interface LayOutAnswer {
  readonly id: number;
  readonly laid: Laid;
}

/** What is needed of a worker. */
export interface LayOutWorker {
  send(request: LayOutRequest): void;
  /** Ends it, whatever it is doing. */
  end(): void;
}
export interface LayOutHears {
  onAnswer(answer: LayOutAnswer): void;
  onFailure(): void;
}

export interface MarkdownReader {
  /** Never rejects. Asking again drops what was asked before: its promise stays open for ever. */
  read(body: string, form: TextForm): Promise<Laid>;
}

/** A text of hundred pages takes a fifth of this on a slow machine, ms. */
const PATIENCE = 5000;

export function createMarkdownReader(clock: Clock, open: (hears: LayOutHears) => LayOutWorker): MarkdownReader {
  let worker: LayOutWorker | null = null;
  let id = 0;
  let cancel: Cancel = () => undefined;
  let busy = false;
  let onAnswer: LayOutHears['onAnswer'] = () => undefined;
  let onFailure: LayOutHears['onFailure'] = () => undefined;
  const stop = (): void => {
    worker?.end();
    worker = null;
    busy = false;
  };
  return {
    read(body, form) {
      cancel();
      // What nobody waits for any more must not delay this one.
      if (busy) stop();
      id += 1;
      const mine = id;
      return new Promise((resolve) => {
        const settle = (laid: Laid): void => {
          cancel();
          busy = false;
          resolve(laid);
        };
        const fail = (why: 'slow' | 'broken'): void => {
          stop();
          settle(asWritten(body, why));
        };
        onAnswer = (answer) => {
          if (answer.id === mine) settle(answer.laid);
        };
        onFailure = () => fail('broken');
        worker ??= open({ onAnswer: (answer) => onAnswer(answer), onFailure: () => onFailure() });
        busy = true;
        cancel = clock.after(PATIENCE, () => fail('slow'));
        // What is beyond the limit need not be carried over.
        worker.send({ id: mine, body: body.slice(0, MOST_CHARACTERS), form });
      });
    },
  };
}

const asWritten = (body: string, why: 'slow' | 'broken'): Laid => ({
  kind: 'plain',
  text: body.slice(0, MOST_CHARACTERS),
  why,
});
