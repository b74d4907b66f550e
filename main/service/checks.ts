// Main, service: tests prices before they become a profile: a folder of files, or a vendor's feed.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { FolderReport } from '../../service/price-report.ts';
import { FORMATS_SHOWN, PROBLEMS_SHOWN, type PriceReport } from '../../shared/channels/profiles.ts';
import { folderRefusal } from '../../shared/lib/folder-refusal.ts';
import { directly, type FindProxy } from '../../shared/lib/proxy.ts';
import type { FeedChecker, PriceChecker } from '../host/embedded-service.ts';
import { askThread } from './service-thread.ts';

/** Runs in a thread: a folder of many years takes a while, and must not block the app. */
export const checkPrices: PriceChecker = async ({ folder, editorial, events }, answers = [], onProgress) => {
  const at = {
    folder: absolute(folder),
    editorial: editorial === null ? null : absolute(editorial),
    ...(events === undefined ? {} : { events: absolute(events) }),
  };
  // A missing folder is reported at once: starting the thread takes a second.
  for (const which of ['folder', 'editorial', 'events'] as const) {
    const why = at[which] == null ? null : whyNotFolder(at[which]);
    if (why !== null) return { ...at, ...shown(nothingIn(why, which)) };
  }
  const task = 'barograph-check-prices';
  const message = await askThread({ task, ...at, answers: [...answers] }, directly, onProgress);
  if (message.kind !== 'checked') throw new Error('the thread that reads the prices gave another answer');
  return { ...at, ...shown(message.report) };
};

/** Runs in a thread likewise, since only threads load the service. */
export const createFeedChecker =
  (findProxy: FindProxy): FeedChecker =>
  async (feed, key) => {
    const message = await askThread({ task: 'barograph-check-feed', feed, key }, findProxy);
    if (message.kind !== 'tried') throw new Error('the thread that tries the feed gave another answer');
    return message.findings;
  };

const absolute = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;

function whyNotFolder(path: string): string | null {
  if (!isAbsolute(path)) return `"${path}" is no whole path. Begin with ${join(homedir(), '...')}.`;
  try {
    return statSync(path).isDirectory() ? null : `${path} is a file. Give the folder that it lies in.`;
  } catch (error) {
    return folderRefusal(`The folder ${path}`, error);
  }
}

const nothingIn = (refused: string, refused_at: FolderReport['refused_at']): FolderReport => ({
  refused,
  refused_at,
  symbols: [],
  from: null,
  to: null,
  earliest_end: null,
  median_end: null,
  files: 0,
  rows: 0,
  used: 0,
  problems: [],
  formats: [],
  due: null,
});

/** A reason that the service gives in a clause. */
const sentence = (why: string): string =>
  `${why.charAt(0).toUpperCase()}${why.slice(1)}${why.endsWith('.') ? '' : '.'}`;

const shown = ({
  symbols,
  problems,
  formats,
  refused,
  ...report
}: FolderReport): Omit<PriceReport, 'folder' | 'editorial' | 'events'> => ({
  ...report,
  refused: refused === null ? null : sentence(refused),
  symbols: [...symbols],
  problems: problems.slice(0, PROBLEMS_SHOWN).map(({ file, line, reason }) => ({ file, line, reason })),
  more: Math.max(0, problems.length - PROBLEMS_SHOWN),
  // Questions first: the folder waits for their answers.
  formats: formats.toSorted((a, b) => b.questions.length - a.questions.length).slice(0, FORMATS_SHOWN),
});
