// Faults: listeners of a simulated cluster: stream clients that change nodes, a webhook receiver.
import type { FastifyReply } from 'fastify';
import type { DeliveryRequest, Receipt } from '../../service/webhooks/post.ts';
import { LOG_HEADER } from '../../shared/wire/sse.ts';
import type { History } from './cluster-history.ts';
import type { Chance } from './core-simulation-random.ts';

export interface StreamClient {
  /** What it would send as Last-Event-ID. */
  lastEventId(): string | undefined;
  isConnected(): boolean;
  /** The answer that a node writes into. */
  open(): FastifyReply;
  /** The connection ends; with `isHard` what was not read yet is lost. */
  drop(isHard: boolean): void;
  /** Reads what has arrived. */
  read(): void;
}

const FRAME = /^id: (\S+)\nevent: \S+\ndata: (.*)$/;

export function createStreamClient(process: number, history: History): StreamClient {
  let lastId: string | undefined;
  let log: string | null = null;
  let unread = '';
  let ended: (() => void)[] | null = null;

  const read = (): void => {
    const frames = unread.split('\n\n');
    unread = frames.pop() ?? '';
    for (const frame of frames) {
      const [, id, data] = FRAME.exec(frame) ?? [];
      if (id === undefined || data === undefined || log === null) continue;
      lastId = id;
      history.add({ type: 'ok', process, f: 'stream', value: { log, seq: JSON.parse(data).seq, id } });
    }
  };
  const drop = (isHard: boolean): void => {
    if (!isHard) read();
    unread = '';
    const listeners = ended ?? [];
    ended = null;
    for (const listener of listeners) listener();
  };
  return {
    lastEventId: () => lastId,
    isConnected: () => ended !== null,
    read,
    drop,
    open() {
      const listeners: (() => void)[] = [];
      const isHere = (): boolean => ended === listeners;
      ended = listeners;
      const raw = {
        writableLength: 0,
        writableNeedDrain: false,
        socket: { cork: () => undefined, uncork: () => undefined },
        on: (name: string, listener: () => void) => name === 'close' && listeners.push(listener),
        once: () => undefined,
        off: () => undefined,
        destroy: () => undefined,
        end(chunk: string) {
          if (!isHere()) return;
          unread += chunk;
          // A connection that the service ends brings all that was written before.
          read();
          unread = '';
          ended = null;
        },
        writeHead(_status: number, headers: Readonly<Record<string, string>>) {
          if (!isHere()) return;
          log = headers[LOG_HEADER] ?? null;
          history.add({ type: 'ok', process, f: 'resume', value: { after: null, log } });
        },
        write(chunk: Buffer | string) {
          if (isHere()) unread += chunk.toString();
        },
      };
      return { hijack: () => undefined, raw } as unknown as FastifyReply;
    },
  };
}

interface Posted {
  readonly node: number;
  readonly log: string;
  readonly id: string;
  /** The node had everything that the journal had. */
  readonly isCurrent: boolean;
  /** How often the lane had another holder before. */
  readonly tenure: number;
  readonly answer: (receipt: Receipt) => void;
}

export interface Receiver {
  post(request: DeliveryRequest, from: Pick<Posted, 'node' | 'log' | 'isCurrent' | 'tenure'>): Promise<Receipt>;
  /** Answers one request, or loses its answer. @returns false where there is none */
  answerOne(isHealthy: boolean): boolean;
  /** The process that sent them has ended. */
  forget(node: number): void;
  /** Most requests at once of one tenure of the lane. */
  crowd(): number;
}

export function createReceiver(process: number, history: History, { pick, upTo }: Chance): Receiver {
  const posted: Posted[] = [];
  let crowd = 0;
  const receipt = (status: number | null): Receipt => ({
    status,
    error: status === 204 ? null : 'no success',
    latencyMs: 1,
    response: null,
  });
  return {
    post(request, from) {
      return new Promise((answer) => {
        posted.push({ ...from, id: request.headers['webhook-id'] ?? '', answer });
        // Those of another log were given up by their service.
        const together = posted.filter(
          ({ isCurrent, tenure, log }) => isCurrent && tenure === from.tenure && log === from.log,
        ).length;
        if (from.isCurrent) crowd = Math.max(crowd, together);
      });
    },
    answerOne(isHealthy) {
      const [one] = posted.splice(upTo(posted.length), 1);
      if (one === undefined) return false;
      const fate = isHealthy ? 'taken' : pick(['taken', 'taken', 'refused', 'lost']);
      if (fate !== 'refused') history.add({ type: 'ok', process, f: 'deliver', value: { log: one.log, id: one.id } });
      one.answer(receipt(fate === 'taken' ? 204 : fate === 'refused' ? 500 : null));
      return true;
    },
    forget(node) {
      // What was on the way may still arrive.
      for (const one of posted.splice(0)) if (one.node !== node) posted.push(one);
    },
    crowd: () => crowd,
  };
}
