// Main, command line: `barograph ledger`: the newest entries of a profile's ledger, one line each, oldest first.
// Reads the file beside a running app, and changes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateLabel, writtenState } from '../../../shared/domain/states.ts';
import { ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { openUntouched } from '../../core/files/sqlite-file.ts';
import { LEDGER_NAME } from '../../core/ledger/database.ts';
import { createEntryStore, type EntryRow } from '../../core/ledger/entries.ts';
import { UsageError } from '../../host/command-line.ts';

export interface LedgerFlags {
  readonly dataDir: string;
  readonly profile: string;
  readonly last: string;
  readonly json?: boolean;
}

/** Most entries that are printed. */
const MOST = 10_000;

export function ledgerVerb({ dataDir, profile, last, json = false }: LedgerFlags): void {
  if (!ProfileNameSchema.safeParse(profile).success) throw new UsageError('--profile is the name of a profile.');
  const count = Number(last);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new UsageError(`--last is a number from 1 to ${MOST}.`);
  const path = join(dataDir, 'profiles', profile, LEDGER_NAME);
  if (!existsSync(path)) throw new UsageError(`The profile ${profile} has no ledger in ${dataDir}.`);
  const db = openUntouched(path);
  if (db === null) throw new Error('Barograph ended unexpectedly; start it once, and it repairs the ledger.');
  try {
    const entries = createEntryStore(db);
    for (const entry of entries.after(entries.count() - count, count))
      console.log(json ? JSON.stringify(entry) : lineOf(entry));
  } finally {
    db.close();
  }
}

function lineOf(entry: EntryRow): string {
  const { transition } = entry;
  const change =
    transition === null
      ? ''
      : `${stateLabel(transition.from_state)} -> ${writtenState(transition.to_state, transition.state_word)}`;
  return [
    String(entry.ledger_id).padStart(7),
    timestamp(entry.occurredAt),
    `received ${timestamp(entry.received_ms)} (${entry.sources})`,
    entry.event,
    entry.symbol ?? '-',
    change,
    entry.decision ?? '-',
    entry.event_id,
  ]
    .filter((part) => part !== '')
    .join('  ');
}
