// Main, core: the archive's reader thread, so that a search, check or backup never blocks the core.
// This file is both ends: imported, it starts the thread on the first query; in the thread, it answers.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { RefusedError, refused } from '../../../shared/channels/channel.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { MessageSchema, message, textOf } from '../../../shared/text/message.ts';
import { outsideArchive } from '../files/outside-archive.ts';
import { isDamage } from '../files/sqlite-file.ts';
import { type ArchiveReader, createTaskRunner, DamageError, type ReaderFactory, type TaskName } from './reader.ts';

/** The marker prevents other threads that load this file from answering. */
const TaskSchema = z.object({ task: z.literal('barograph-archive'), folder: z.string() });
const QuestionSchema = z.object({ id: z.number(), name: z.string(), ask: z.unknown() });
const AnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('refused'), id: z.number(), message: MessageSchema }),
  z.object({ kind: z.literal('damaged'), id: z.number(), message: z.string() }),
  z.object({ kind: z.literal('failed'), id: z.number(), message: z.string() }),
]);
type Answer = z.infer<typeof AnswerSchema>;

/** Longest wait for the thread's end, ms; after that it ends by itself. */
const CLOSE_LIMIT = 500;

interface PendingRequest {
  readonly resolve: (value: never) => void;
  readonly reject: (problem: Error) => void;
}

/** @param script the thread's file: this one, except in tests of its death */
export const startReaderThread: ReaderFactory = (
  folder,
  script = new URL(outsideArchive(import.meta.url)),
): ArchiveReader => {
  let worker: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, PendingRequest>();

  const started = (): Worker => {
    if (worker !== null) return worker;
    const made = new Worker(script, { workerData: { task: 'barograph-archive', folder }, env: {}, name: 'archive' });
    made.on('message', (raw: unknown) => settle(AnswerSchema.parse(raw)));
    made.on('error', (problem) => lost(made, messageOf(problem)));
    made.on('exit', () => lost(made, 'it ended'));
    worker = made;
    return made;
  };
  const settle = (answer: Answer): void => {
    const pending = waiting.get(answer.id);
    if (pending === undefined) return;
    waiting.delete(answer.id);
    // Only an outstanding answer keeps the program running.
    if (waiting.size === 0) worker?.unref();
    if (answer.kind === 'answer') pending.resolve(answer.value as never);
    else if (answer.kind === 'refused') pending.reject(refused(answer.message));
    else pending.reject(answer.kind === 'damaged' ? new DamageError(answer.message) : new Error(answer.message));
  };
  /** The next query starts another thread. */
  const lost = (gone: Worker, why: string): void => {
    if (worker !== gone) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error(textOf(message('archive.reader_ended', { why }))));
    waiting.clear();
  };
  return {
    ask(name, ask) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const thread = started();
        thread.ref();
        thread.postMessage({ id, name, ask });
      });
    },
    async close() {
      const open = worker;
      if (open === null) return;
      lost(open, 'the archive is closed');
      // A check of a large file cannot be interrupted; close does not wait for it, because it only reads.
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, CLOSE_LIMIT);
        void open.terminate().finally(() => {
          clearTimeout(limit);
          resolve();
        });
      });
    },
  };
};

function serve(port: NonNullable<typeof parentPort>, folder: string): void {
  const runner = createTaskRunner(folder);
  port.on('message', (raw: unknown) => {
    const { id, name, ask } = QuestionSchema.parse(raw);
    const answer = (given: Answer): void => port.postMessage(given);
    runner.answer(name as TaskName, ask as never).then(
      (value) => answer({ kind: 'answer', id, value }),
      (error) => {
        if (error instanceof RefusedError) answer({ kind: 'refused', id, message: error.refusal.message });
        else answer({ kind: isDamage(error) ? 'damaged' : 'failed', id, message: messageOf(error) });
      },
    );
  });
}

if (!isMainThread && parentPort !== null) {
  const task = TaskSchema.safeParse(workerData);
  if (task.success) serve(parentPort, task.data.folder);
}
