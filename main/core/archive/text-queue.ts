// Main, core: fetches the texts of listed briefings, the newest first, one after the other.
import type { ProblemKind } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import { pauseOf } from './fetching.ts';
import { createJob, type Job, type JobContext } from './job.ts';
import { type FillingProblem, fillingProblem } from './problems.ts';

export interface TextQueue extends Job {
  /** Fetches one text now. ok(false): the service has none. null: no request may be sent. */
  fetch(id: string): Promise<Result<boolean, FillingProblem> | null>;
  isFetching(): boolean;
  /** A new archive begins: earlier attempts do not count. */
  restart(): void;
}

const TEXT_PAUSE = { free: 8, counted: 2_000 };
/** Most attempts to fetch an invalid text in one run. */
const MAX_TRIES = 3;
/** This many invalid texts in a row are the service's fault. */
const MAX_WRONG = 5;
/** Faults of one text; any other problem ends the round. */
const OF_THE_TEXT: ReadonlySet<ProblemKind> = new Set([
  'bad_request',
  'server',
  'too_large',
  'unreadable',
  'not_covered',
]);

export function createTextQueue({ context, mayAsk, fetching, files }: JobContext): TextQueue {
  const { guard, events, profile } = context;
  const pause = pauseOf(profile, TEXT_PAUSE);
  const tries = new Map<string, number>();
  let isStopped = false;
  let isFetching = false;

  const fetchText = async (id: string): Promise<Result<boolean, FillingProblem>> => {
    const answer = await fetching.readText(id);
    if (isStopped) return ok(false);
    if (!answer.ok) {
      if (answer.error.kind !== 'not_found') return answer;
      // The service has deleted it since it was listed.
      files.use((store) => store.briefings.giveUp(id));
      events.signal('archiveWritten');
      return ok(false);
    }
    const text = answer.value;
    if (text === null) return err(fillingProblem('unreadable', message('archive.text_invalid', { id })));
    files.use((store) => store.briefings.putText(text));
    tries.delete(id);
    events.signal('archiveWritten');
    return ok(true);
  };
  const nextText = (): string | undefined => {
    const given = [...tries].filter(([, count]) => count >= MAX_TRIES).length;
    const pending = files.use((store) => store.briefings.pendingTexts(given + 1));
    return pending.find((id) => (tries.get(id) ?? 0) < MAX_TRIES);
  };
  const fetchAll = async (): Promise<Result<unknown, FillingProblem>> => {
    let wrong = 0;
    for (let id = nextText(); id !== undefined && !isStopped; id = nextText()) {
      const outcome = await fetchText(id);
      if (!outcome.ok) {
        if (!OF_THE_TEXT.has(outcome.error.kind)) return outcome;
        tries.set(id, (tries.get(id) ?? 0) + 1);
        wrong += 1;
        if (wrong >= MAX_WRONG)
          return err({ ...outcome.error, message: message('archive.texts_failed', { why: outcome.error.message }) });
      } else wrong = 0;
      await new Promise<void>((resolve) => void guard.clock.after(pause, resolve));
    }
    const left = isStopped ? 0 : files.use((store) => store.briefings.countPendingTexts());
    return left === 0
      ? ok(true)
      : err(fillingProblem('unreadable', message('archive.texts_unreadable', { count: left })));
  };
  const job = createJob({
    context,
    mayAsk,
    cadence: () => null,
    run() {
      isFetching = true;
      return fetchAll().finally(() => {
        isFetching = false;
        events.signal('archiveWritten');
      });
    },
  });

  return {
    ...job,
    fetch: async (id) => (mayAsk() ? fetchText(id) : null),
    isFetching: () => isFetching,
    restart: () => tries.clear(),
    stop() {
      isStopped = true;
      job.stop();
    },
  };
}
