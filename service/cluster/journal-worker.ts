// Service, cluster: the thread with the connections to PostgreSQL; journal-thread.ts starts it.
// The service's own thread may block on an answer, so nothing here may wait for that thread.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/lib/result.ts';
import { NodeRefusal } from './direct.ts';
import { follow } from './follow.ts';
import type { NewEntry } from './journal.ts';
import { shareLanes } from './lanes.ts';
import { contend } from './leadership.ts';
import {
  type AnswerMessage,
  type Command,
  type JournalMessage,
  type RequestMessage,
  type ThreadOptions,
  threadTime,
} from './messages.ts';
import { createPostgresJournal } from './postgres-journal.ts';

const { url, node, binding, answered, answers } = workerData as ThreadOptions;
const journal = createPostgresJournal(url, binding, threadTime);
const counter = new Int32Array(answered);
const ending = new AbortController();
const { signal } = ending;
let reached: { readonly position: number; readonly worldTime: number } | null = null;

const send = (message: JournalMessage): void => parentPort?.postMessage(message);

async function perform({ name, given, until }: RequestMessage): Promise<unknown> {
  switch (name) {
    case 'open':
      return journal.open();
    case 'head':
      return journal.head();
    case 'after': {
      const { position, limit } = given as { position: number; limit: number };
      return journal.after(position, limit);
    }
    case 'append':
      return journal.append(given as NewEntry, until ?? Number.POSITIVE_INFINITY);
  }
}

async function answer(request: RequestMessage): Promise<void> {
  const { id, until } = request;
  const message = await perform(request).then(
    (value): AnswerMessage => ({ id, answer: value }),
    (error: unknown): AnswerMessage => ({ id, failed: messageOf(error), refused: error instanceof NodeRefusal }),
  );
  if (until === null) {
    parentPort?.postMessage(message);
    return;
  }
  answers.postMessage(message);
  Atomics.add(counter, 0, 1);
  Atomics.notify(counter, 0);
}

async function execute(command: Command): Promise<void> {
  switch (command.kind) {
    case 'follow':
      return follow({ url, journal, after: command.after, entry: command.entry, send, signal });
    case 'deliver':
      return shareLanes({ url, hold: (lanes) => send({ kind: 'lanes', lanes }), signal });
    case 'campaign':
      return contend({ url, node, reached: () => reached, send, signal });
    case 'reached':
      reached = command;
      return;
    case 'snapshot':
      return journal.keep(command.snapshot, command.epoch);
    case 'calls':
      return send({
        kind: 'calls',
        minute: command.minute,
        calls: await journal.addCalls(command.minute, command.calls),
      });
    case 'close':
      ending.abort();
      await journal.close();
      parentPort?.close();
      answers.close();
  }
}

parentPort?.on('message', (message: RequestMessage | Command) => {
  if ('id' in message) void answer(message);
  // The next snapshot replaces a failed one; after failed counts, only this node counts its calls.
  else execute(message).catch(() => undefined);
});
