// Service, command line: `confirm SYMBOL DATE`: the operator's answer to the question about a price.
// A running service reads the decision within seconds.
import { join } from 'node:path';
import { Command } from 'commander';
import { ok, type Result } from '../../shared/lib/result.ts';
import { actionOf } from '../market/csv/corporate-actions.ts';
import { recordDecision } from '../market/tape/record-decision.ts';
import type { TapeAction } from '../market/tape/tape-action.ts';
import { tapeFileOf } from '../market/tape/tape-database.ts';
import { parseVerb, refusedVerb, type VerbRefusal } from './parse-verb.ts';

export interface Confirmation {
  readonly action: TapeAction;
  /** null: the default store. */
  readonly db: string | null;
  readonly dataDir: string | null;
}

interface Flags {
  readonly real?: true;
  readonly refuse?: true;
  readonly split?: string;
  readonly db?: string;
  readonly dataDir?: string;
}

/** @returns the decision, or the text to print with the exit code */
export function readConfirmation(argv: readonly string[]): Result<Confirmation, VerbRefusal> {
  const command = new Command('service confirm')
    .description('Answer the question about a price; the date is that of the question')
    .argument('<symbol>')
    .argument('<date>', 'session date, like 2020-02-24')
    .option('--real', 'it is a price, and counts')
    .option('--refuse', 'it is no price')
    .option('--split <ratio>', 'a split: 4:1 for four shares in place of one; the prices before it are adjusted')
    .option('--db <file>', 'store of the service')
    .option('--data-dir <folder>', 'folder of the store');
  const read = parseVerb(command, argv);
  if (!read.ok) return read;
  const flags = command.opts<Flags>();
  const kinds = (['real', 'refuse', 'split'] as const).filter((kind) => flags[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return refusedVerb('confirm needs one of --real, --refuse, --split RATIO');
  const [symbol = '', date = ''] = command.args;
  const action = actionOf(symbol, date, kind, flags.split ?? '', '');
  if (typeof action === 'string') return refusedVerb(action);
  return ok({ action, db: flags.db ?? null, dataDir: flags.dataDir ?? null });
}

/**
 * @param defaultFolder folder of the default store
 * @param now wall ms
 * @returns a sentence for the operator
 * @throws StoreError with one sentence when it cannot be recorded
 */
export function recordConfirmation({ action, db, dataDir }: Confirmation, defaultFolder: string, now: number): string {
  const store = db ?? join(dataDir ?? defaultFolder, 'service.db');
  recordDecision(tapeFileOf(store), action, now);
  return `${action.symbol} ${action.date} is recorded; a running service uses it within seconds.`;
}
