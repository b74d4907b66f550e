// Renderer: renders texts in a worker; after a timeout the text is shown as plain text.
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

/** The used part of Worker. */
export interface RenderWorker {
  send(request: RenderRequest): void;
  /** Terminates the worker, whatever its state. */
  end(): void;
}
export interface RenderHandlers {
  onAnswer(answer: RenderResponse): void;
  onFailure(): void;
}

export interface MarkdownReader {
  /** Never rejects. A new call supersedes the previous one, whose promise never settles. */
  read(body: string, form: TextForm): Promise<RenderResult>;
  /** Ends the worker. */
  end(): void;
}

/** Limit for rendering a text, ms. A text of a hundred pages takes a fifth of it on a slow machine. */
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
      // A superseded text must not delay this one.
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
        // Text beyond the limit is not sent.
        worker.send({ id: mine, body: body.slice(0, MAX_CHARACTERS), form });
      });
    },
    end() {
      cancel();
      stop();
    },
  };
}

const asWritten = (body: string, why: 'slow' | 'broken'): RenderResult => ({
  kind: 'plain',
  text: body.slice(0, MAX_CHARACTERS),
  why,
});
