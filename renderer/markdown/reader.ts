// Renderer: renders texts, Markdown by way of a worker; after a timeout the text is shown as plain text.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { Result } from '../../shared/lib/result.ts';
import { renderHtml, renderPlain } from './render-html.ts';
import { MAX_CHARACTERS, type PlainReason, type RenderResult, type TextForm } from './render-result.ts';

/** Markdown. */
export interface RenderRequest {
  readonly id: number;
  readonly text: string;
}
export interface RenderResponse {
  readonly id: number;
  readonly html: Result<string, PlainReason>;
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
      // Text beyond the limit is not rendered.
      const text = body.slice(0, MAX_CHARACTERS);
      if (form === 'plain') return Promise.resolve(renderPlain(text));
      if (form === 'html') return Promise.resolve(renderHtml(text, text, form));
      return new Promise((resolve) => {
        const settle = (rendered: RenderResult): void => {
          cancel();
          busy = false;
          resolve(rendered);
        };
        const fail = (why: PlainReason): void => {
          stop();
          settle({ kind: 'plain', text, why });
        };
        onAnswer = ({ id: answered, html }) => {
          if (answered !== mine) return;
          settle(html.ok ? renderHtml(html.value, text, form) : { kind: 'plain', text, why: html.error });
        };
        onFailure = () => fail('broken');
        worker ??= open({ onAnswer: (answer) => onAnswer(answer), onFailure: () => onFailure() });
        busy = true;
        cancel = clock.after(TIMEOUT, () => fail('slow'));
        worker.send({ id: mine, text });
      });
    },
    end() {
      cancel();
      stop();
    },
  };
}
