// Faults: transcripts of simulated lives: writes, pushes and notifications, and their digest.
// `node test/faults/core-transcript.ts SEED [immortal]` prints one; `node test/faults/core-transcript.ts
// record` writes the fixture.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { liveOnce } from './core-simulation.ts';

export interface TranscriptLife {
  readonly seed: number;
  readonly isImmortal: boolean;
}

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** A killed core differs with every port call it makes; an immortal one only with what it writes and shows. */
export const LIVES: readonly TranscriptLife[] = [
  ...SEEDS.map((seed) => ({ seed, isImmortal: false })),
  ...SEEDS.map((seed) => ({ seed: seed + 1000, isImmortal: true })),
];

export const FIXTURE = join(import.meta.dirname, '../fixtures/core-transcripts.json');

/** One line for each push, notification and row. */
export async function transcriptOf({ seed, isImmortal }: TranscriptLife): Promise<string[]> {
  const lines: string[] = [];
  let isOver = false;
  await liveOnce(seed, null, {
    isImmortal,
    recorder: {
      record(kind, value) {
        if (!isOver) lines.push(`${kind} ${JSON.stringify(value, withoutText)}`);
      },
      end(ledger) {
        lines.push(...rowsOf(ledger));
        isOver = true;
      },
    },
  });
  return lines;
}

/** Masks texts: their wording may change, and their times are in this computer's zone. */
const withoutText = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.includes(' ') ? 'TEXT' : value;

export const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);

export const labelOf = ({ seed, isImmortal }: TranscriptLife): string => `${seed}${isImmortal ? ' immortal' : ''}`;

function rowsOf(ledger: Database): string[] {
  const tables = ledger
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  return tables.flatMap((table) =>
    ledger
      .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
      .raw()
      .all()
      .map((row) => `row ${table} ${JSON.stringify(row, withoutText)}`),
  );
}

async function record(): Promise<void> {
  const digests: Record<string, string> = {};
  for (const life of LIVES) digests[labelOf(life)] = digestOf(await transcriptOf(life));
  writeFileSync(FIXTURE, `${JSON.stringify(digests, null, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const [, , seed = 'record', mode] = process.argv;
  if (seed === 'record') await record();
  else console.log((await transcriptOf({ seed: Number(seed), isImmortal: mode === 'immortal' })).join('\n'));
}
