// Service, cluster: the journal for the service's thread, which waits for each answer.
// A write blocks the event loop, as on one machine: nothing else runs between a decision and its commit.
// Concurrent appends would gain nothing, because each needs the position of the previous one.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { StoreError } from '../store/store-error.ts';
import { type Journal, JournalUnavailable, type NewEntry } from './journal.ts';
import {
  type AnswerMessage,
  type Command,
  type JournalMessage,
  type OpenedJournal,
  type RequestMessage,
  type RequestName,
  type Requests,
  type ThreadOptions,
  threadTime,
} from './messages.ts';

/** Maximum time that a write may block the thread, and the addition per megabyte, ms. */
const ANSWER_MS = 1_500;
const MEGABYTE_MS = 1_000;
/** The thread ends its connections within this time. */
const CLOSE_MS = 1_000;

export interface JournalThread {
  readonly journal: Journal;
  /** @throws StoreError for a database that this node must not use; JournalUnavailable */
  open(): Promise<OpenedJournal>;
  send(command: Command): void;
  close(): Promise<void>;
}

export type JournalThreadOptions = Omit<ThreadOptions, 'answered' | 'answers'>;

/** @param receive called with each message in a turn of its own */
export function startJournalThread(
  options: JournalThreadOptions,
  receive: (message: JournalMessage) => void,
): JournalThread {
  const answered = new SharedArrayBuffer(4);
  const counter = new Int32Array(answered);
  const { port1: inbox, port2: answers } = new MessageChannel();
  const data: ThreadOptions = { ...options, answered, answers };
  const worker = new Worker(new URL('./journal-worker.ts', import.meta.url), {
    workerData: data,
    transferList: [answers],
  });
  const waiting = new Map<number, (answer: AnswerMessage) => void>();
  let lastId = 0;
  /** Set after a timeout until PostgreSQL answers again; meanwhile requests fail without waiting. */
  let isAway = false;
  worker.on('message', (message: JournalMessage | AnswerMessage) => {
    if ('kind' in message) {
      if (message.kind === 'head') isAway = false;
      if (message.kind === 'connected' && !message.isConnected) isAway = true;
      receive(message);
      return;
    }
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const dead = Promise.withResolvers<never>();
  dead.promise.catch(() => undefined);
  worker.on('error', (error) => {
    dead.reject(error);
    receive({ kind: 'lost', why: `the thread of the journal ended: ${error.message}` });
  });

  const post = (name: RequestName, given: unknown, until: number | null): number => {
    lastId += 1;
    const request: RequestMessage = { id: lastId, name, given, until };
    worker.postMessage(request);
    return lastId;
  };
  const answerIn = (message: AnswerMessage): unknown => {
    if ('answer' in message) return message.answer;
    if (message.refused) throw new StoreError(message.failed);
    throw new JournalUnavailable(`the database cannot be reached: ${message.failed}`);
  };
  const call = <Name extends RequestName>(
    name: Name,
    given: Requests[Name]['given'],
    ms: number,
  ): Requests[Name]['answer'] => {
    if (isAway) throw new JournalUnavailable('the database cannot be reached');
    const until = threadTime() + ms;
    const id = post(name, given, until);
    for (;;) {
      const seen = Atomics.load(counter, 0);
      for (let received = receiveMessageOnPort(inbox); received !== undefined; received = receiveMessageOnPort(inbox)) {
        const message = received.message as AnswerMessage;
        // An older answer belongs to a request that timed out.
        if (message.id === id) return answerIn(message) as Requests[Name]['answer'];
      }
      const left = until + ANSWER_MS / 4 - threadTime();
      if (left <= 0 || Atomics.wait(counter, 0, seen, left) === 'timed-out') {
        isAway = true;
        throw new JournalUnavailable('the database does not answer');
      }
    }
  };
  const timeOf = ({ body }: NewEntry): number => ANSWER_MS + Math.floor(body.length / 2 ** 20) * MEGABYTE_MS;

  return {
    journal: {
      head: () => call('head', null, ANSWER_MS),
      after: (position, limit) => call('after', { position, limit }, ANSWER_MS),
      append: (entry) => call('append', entry, timeOf(entry)),
    },
    async open() {
      const { promise, resolve } = Promise.withResolvers<AnswerMessage>();
      waiting.set(post('open', null, null), resolve);
      return answerIn(await Promise.race([promise, dead.promise])) as OpenedJournal;
    },
    send: (command) => worker.postMessage(command),
    async close() {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      worker.postMessage({ kind: 'close' } satisfies Command);
      const timer = setTimeout(resolve, CLOSE_MS);
      await ended;
      clearTimeout(timer);
      await worker.terminate();
      inbox.close();
    },
  };
}
