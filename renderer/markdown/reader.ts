// Renderer: has texts rendered by a worker, and gives up after a while: then the text is shown as it was written.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { MAX_CHARACTERS, type RenderResult, type TextForm } from './render-result.ts';

export interface RenderRequest {
  readonly id: number;
  readonly body: string;
  readonly form: TextForm;
}
export interface RenderResponse {
  readonly id: number;
  readonly rendered: RenderResult;
}

/** What is needed of a worker. */
export interface RenderWorker {
  send(request: RenderRequest): void;
  /** Ends it, whatever it is doing. */
  end(): void;
}
export interface RenderHandlers {
  onAnswer(answer: RenderResponse): void;
  onFailure(): void;
}

export interface MarkdownReader {
  /** Never rejects. Asking again drops what was asked before: its promise stays open for ever. */
  read(body: string, form: TextForm): Promise<RenderResult>;
}

/** A text of hundred pages takes a fifth of this on a slow machine, ms. */
const TIMEOUT = 5000;

export function createMarkdownReader(clock: Clock, open: (handlers: RenderHandlers) => RenderWorker): MarkdownReader {
  let worker: RenderWorker | null = null;
  let id = 0;
  let cancel: Cancel = () => undefined;
  let busy = false;
  let onAnswer: RenderHandlers['onAnswer'] = () => undefined;
  let onFailure: RenderHandlers['onFailure'] = () => undefined;
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
        const settle = (rendered: RenderResult): void => {
          cancel();
          busy = false;
          resolve(rendered);
        };
        const fail = (why: 'slow' | 'broken'): void => {
          stop();
          settle(asWritten(body, why));
        };
        onAnswer = (answer) => {
          if (answer.id === mine) settle(answer.rendered);
        };
        onFailure = () => fail('broken');
        worker ??= open({ onAnswer: (answer) => onAnswer(answer), onFailure: () => onFailure() });
        busy = true;
        cancel = clock.after(TIMEOUT, () => fail('slow'));
        // What is beyond the limit need not be carried over.
        worker.send({ id: mine, body: body.slice(0, MAX_CHARACTERS), form });
      });
    },
  };
}

const asWritten = (body: string, why: 'slow' | 'broken'): RenderResult => ({
  kind: 'plain',
  text: body.slice(0, MAX_CHARACTERS),
  why,
});
