// Main, diagnostics: inspects a profile's files while the app may write to them; creates no file.
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { Gap } from '../../shared/channels/state.ts';
import { isLoopback } from '../../shared/lib/loopback.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { MessageSchema, textOf } from '../../shared/text/message.ts';
import { TimestampSchema } from '../../shared/wire/primitives.ts';
import { ARCHIVE_NAME } from '../core/archive/tables.ts';
import { backupsOf } from '../core/files/backup.ts';
import { createMetadata } from '../core/files/metadata.ts';
import { fileProblem } from '../core/files/private-file.ts';
import { isDamage, openUntouched } from '../core/files/sqlite-file.ts';
import { DAMAGE_MARKER, isEmptied, LARGEST_CHECKED, LEDGER_NAME, missingOrEmpty } from '../core/ledger/database.ts';
import { createEntryStore } from '../core/ledger/entries.ts';
import { type LedgerEvidence, NO_EVIDENCE } from '../core/ledger/evidence.ts';
import { createGapStore } from '../core/ledger/gaps.ts';
import type { MetadataKey } from '../core/ledger/metadata.ts';
import { LEDGER_VERSION } from '../core/ledger/migrations.ts';
import { missingFrom } from '../core/ledger/schema.ts';
import { openPriceQuestions } from '../core/notifications/price-question-alarm.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { createRelaySettings } from '../core/relay/settings.ts';
import type { GapSummary, RelayInspection, StoreInspection, StoresInspection } from './store-findings.ts';

const LossSchema = z.object({ at: TimestampSchema, message: MessageSchema });
/** Of the service inside the app. */
const SERVICE_STORE = 'service.sqlite';
/** Time for which a loss of the ledger is reported, ms. */
const RECENT = 7 * DAY_MS;
/** Number of the newest gaps that are counted. */
const GAPS = 10_000;

/** @param folder of the profile @param now ms @param evidence traces of a ledger that was lost */
export function inspectStores(
  folder: string,
  now: number,
  evidence: LedgerEvidence = NO_EVIDENCE,
): Omit<StoresInspection, 'relay' | 'disk'> {
  let gaps: GapSummary | null = null;
  let loss: StoresInspection['loss'] = null;
  let questions: readonly string[] = [];
  let stateWords: readonly string[] = [];
  const path = join(folder, LEDGER_NAME);
  const store = join(folder, SERVICE_STORE);
  const gone = missingOrEmpty(folder, evidence);
  const ledger =
    gone !== null
      ? lost(path, gone)
      : existsSync(join(folder, DAMAGE_MARKER)) && existsSync(path)
        ? damaged(path, 'found while it was in use')
        : inspect(path, (db) => {
            const missing = missingFrom(db);
            if (missing !== null) return damaged(path, `${missing} is missing`);
            const isCurrent = db.pragma('user_version', { simple: true }) === LEDGER_VERSION;
            if (isCurrent && isEmptied(db, folder, evidence)) return lost(path, 'empty');
            gaps = gapsOf(db);
            if (isCurrent) loss = lossOf(db, now);
            if (isCurrent) questions = openPriceQuestions(createMetadata<MetadataKey>(db));
            if (isCurrent) stateWords = createEntryStore(db).stateWords();
            return null;
          });
  const day = backupsOf(folder, LEDGER_NAME)[0]?.slice(-'YYYY-MM-DD.sqlite'.length, -'.sqlite'.length);
  return {
    ledger,
    archive: inspect(join(folder, ARCHIVE_NAME)),
    gaps,
    loss,
    questions,
    stateWords,
    store: existsSync(store) ? store : null,
    backup: day === undefined ? null : { day, age: Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS)) },
  };
}

function inspect(path: string, more: (db: Database.Database) => StoreInspection | null = () => null): StoreInspection {
  if (!existsSync(path)) return { bytes: null, integrity: { kind: 'sound' } };
  const bytes = statSync(path).size;
  const problem = fileProblem(path);
  if (problem !== null) return { bytes, integrity: { kind: 'unusable', ...problem } };
  const unread = (why: string): StoreInspection => ({ bytes, integrity: { kind: 'unread', why } });
  if (bytes > LARGEST_CHECKED) return unread('it is too large for a quick check');
  try {
    const db = openUntouched(path);
    if (db === null) return unread('Barograph ended unexpectedly; its next start repairs the file');
    try {
      const checkResult = db.pragma('quick_check(1)', { simple: true });
      if (checkResult !== 'ok') return damaged(path, String(checkResult));
      return more(db) ?? { bytes, integrity: { kind: 'sound' } };
    } finally {
      db.close();
    }
  } catch (error) {
    return isDamage(error) ? damaged(path, messageOf(error)) : unread(messageOf(error));
  }
}

const damaged = (path: string, why: string): StoreInspection => ({
  bytes: existsSync(path) ? statSync(path).size : 0,
  integrity: { kind: 'damaged', why },
});

const lost = (path: string, how: 'missing' | 'empty'): StoreInspection => ({
  bytes: existsSync(path) ? statSync(path).size : 0,
  integrity: { kind: 'lost', how },
});

/** The loss that the app recorded in the last days. */
function lossOf(db: Database.Database, now: number): StoresInspection['loss'] {
  const noted = LossSchema.safeParse(JSON.parse(createMetadata<MetadataKey>(db).get('loss') ?? 'null'));
  if (!noted.success || now - Date.parse(noted.data.at) > RECENT) return null;
  return { at: noted.data.at, what: textOf(noted.data.message) };
}

function gapsOf(db: Database.Database): GapSummary {
  const gaps = createGapStore(db).newest(GAPS);
  const isAboutEvent = ({ cause }: Gap): boolean => cause.code.startsWith('event.');
  const open = gaps.filter(({ closed, lost }) => !closed && !lost);
  const unreadable = gaps.filter((gap) => gap.lost && isAboutEvent(gap));
  const odd = gaps.find((gap) => gap.closed && isAboutEvent(gap));
  const [newest] = unreadable;
  return {
    open: open.length,
    since: open.at(-1)?.from ?? null,
    lost: gaps.filter((gap) => gap.lost && !isAboutEvent(gap)).length,
    unreadable: { count: unreadable.length, last: newest === undefined ? '' : textOf(newest.cause) },
    odd: odd === undefined ? null : textOf(odd.cause),
  };
}

/** @param runs whether the app runs @param listening where its relay listens; null: nowhere, or it does not say */
export async function inspectRelay(
  profile: Profile,
  settings: SettingsStore,
  runs: boolean,
  listening: RelayInspection['listening'],
): Promise<RelayInspection> {
  // The embedded service runs on this computer.
  const reachable = profile.baseUrl === null || isLoopback(URL.parse(profile.baseUrl)?.hostname ?? '');
  const { on, port, publicUrl } = createRelaySettings(settings, profile, reachable).read();
  return { on, port, isFree: !on || port === 0 || (await isFree(port)), isPublic: publicUrl !== null, runs, listening };
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
