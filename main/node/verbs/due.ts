// Main, command line: `barograph due`: what is due, by the lists of the running app's service, or by calendar files.
import { type DueEvent, dueWithin, type ScheduledEvent } from '../../../shared/domain/scheduled-events.ts';
import { type CalendarOf, calendarsOf } from '../../../shared/domain/sessions.ts';
import { DEFAULT_ZONE } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { readEvents } from '../../service/service-tools.ts';
import { type AppFlags, appOf, printRecords } from './app-output.ts';

export interface DueFlags extends AppFlags {
  /** Folder or file; absent: the running app. */
  readonly events?: string;
  readonly symbol?: string;
  readonly sessions: string;
}

interface Lists {
  readonly events: readonly ScheduledEvent[];
  /** What is not used of the lists, a line each. */
  readonly problems: readonly string[];
  /** Lists of which nothing could be read now; null: there is no list. */
  readonly unread: readonly string[] | null;
  readonly calendarOf: CalendarOf;
  /** World time, ms. */
  readonly now: number;
}

const MOST_SESSIONS = 130;

/** @returns the exit code: 1 where what is due is not known, because a list is missing or cannot be read */
export async function printDue(flags: DueFlags): Promise<number> {
  const within = Number(flags.sessions);
  if (!Number.isInteger(within) || within < 0 || within > MOST_SESSIONS)
    throw new UsageError(`--sessions ${flags.sessions}: whole sessions from 0 (today) to ${MOST_SESSIONS}.`);
  const { events, problems, unread, calendarOf, now } =
    flags.events === undefined ? await listsOfApp(flags) : await listsOfFiles(flags.events);
  const asked = flags.symbol?.toUpperCase();
  const symbols = new Set(events.map(({ symbol }) => symbol).filter((one) => asked === undefined || one === asked));
  const due = [...symbols.add(null)].flatMap((symbol): DueEvent[] => {
    const own = events.filter((event) => event.symbol === symbol);
    return dueWithin(own, { symbol, calendar: calendarOf(symbol), at: now, within });
  });
  printRecords(
    flags,
    due
      .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
      .map((event) => ({
        record: event,
        fields: [event.day, event.symbol ?? 'all', texts.due.one(event, now, DEFAULT_ZONE), event.source],
      })),
  );
  for (const problem of problems) console.error(oneLine(problem));
  if (unread === null) console.error(texts.due.noLists);
  else if (unread.length > 0) console.error(oneLine(texts.due.unread(unread)));
  else if (due.length === 0) console.error(texts.due.none(within));
  return unread?.length === 0 ? 0 : 1;
}

async function listsOfApp(flags: DueFlags): Promise<Lists> {
  const app = appOf(flags);
  const [snapshot, schedule] = await Promise.all([app.call('state.snapshot', {}), app.call('scheduled.read', {})]);
  const { rows, connection } = snapshot;
  const { events, sources } = schedule;
  const broken = sources.filter(({ error }) => error !== null);
  const signals = new Map(rows.map(({ symbol, signal }) => [symbol, signal]));
  return {
    events,
    problems: broken.map(({ name, error }) => `${name}: ${error}`),
    unread: sources.length === 0 ? null : broken.map(({ name }) => name),
    calendarOf: calendarsOf(snapshot.profile.environment, (symbol) => signals.get(symbol)),
    now: Date.now() + connection.clock.offset,
  };
}

async function listsOfFiles(path: string): Promise<Lists> {
  const lists = await readEvents(path);
  return {
    events: lists.flatMap(({ events }) => events),
    problems: lists.flatMap(({ problems }) =>
      problems.map(({ file, line, reason }) => `${file}${line === 0 ? '' : `:${line}`} ${reason}`),
    ),
    unread: lists.length === 0 ? null : lists.flatMap(({ name, error }) => (error === null ? [] : name)),
    calendarOf: calendarsOf('production', () => null),
    now: Date.now(),
  };
}
