// Test: what a core writes, pushes and shows under fixed seeds is as recorded, to the byte.
// Print a life that differs with `node test/faults/core-transcript.ts SEED [immortal]`, before and after the
// change.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { digestOf, FIXTURE, LIVES, labelOf, transcriptOf } from './core-transcript.ts';

const recorded: Readonly<Record<string, string>> = JSON.parse(readFileSync(FIXTURE, 'utf8'));

/** `npm test` compares every fortieth life. */
const COMPARED = process.env.BAROGRAPH_TESTS === 'all' ? LIVES : LIVES.filter((_, index) => index % 40 === 0);

test.each(COMPARED)(
  'the life of seed $seed (immortal: $isImmortal) equals the record',
  { timeout: 60_000 },
  async (life) => {
    expect(digestOf(await transcriptOf(life))).toBe(recorded[labelOf(life)]);
  },
);
