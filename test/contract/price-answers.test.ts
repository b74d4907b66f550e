// Contract: who decides what a price in question is.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyService } from '../../service/accounts/key-service.ts';
import { assemble } from '../../service/assemble.ts';
import type { Bar } from '../../service/engine/types.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import { sp500 } from '../fixtures/sp500.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const HOUR = 3_600_000;
/** Longer than the interval at which the service looks for changed prices. */
const POLLED = 10_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const bars = sp500().slice(0, 1_044);
const LAST = bars.length - 1;
/** A close that nothing else of its day confirms. */
const STRAY = 707.8;

let folder: TemporaryFolder;
let service: Service;
let clock: ManualClock;
let [operator, other] = ['', ''];

beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'service.db');
  const asked = bars.with(LAST, { ...(bars[LAST] as Bar), close: STRAY, low: STRAY });
  const rows = asked.map(
    ({ date, open, high, low, close, volume }) => `SPY,${date},${open},${high},${low},${close},${volume ?? ''}`,
  );
  writeFileSync(join(folder.path, 'SPY.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  clock = createManualClock(sessionClose('us', bars[LAST]?.date ?? '') + HOUR);
  service = assemble(
    { world: { kind: 'prices', folder: folder.path }, time: REAL_TIME, file },
    {
      ...{ clock, logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:1', checkReplies: true },
    },
  );
  operator = service.admitKey(null) ?? '';
  // The clock was ahead at the first start: by time of creation, the key of the other account is the older.
  const keys = openKeyService(file, () => clock.now() - HOUR, randomBytes);
  other = keys.issue({ scope: 'account', plan: null, hardCap: false, contract: null, account: 'ann' }).key;
  await keys.close();
  await service.start();
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

const get = async (url: string, key: string) =>
  (await service.app.inject({ url, headers: { 'x-api-key': key } })).json();

test.each([
  ['a symbol that is not covered', '/NOPE/2026-02-27', { answer: 'no_price' }, 404, 'symbol_not_covered'],
  ['a price that is not in question', '/SPY/2020-01-02', { answer: 'no_price' }, 404, 'not_found'],
  ['no date', '/SPY/yesterday', { answer: 'no_price' }, 400, 'invalid_request'],
  ['an unknown answer', '/SPY/2020-01-02', { answer: 'maybe' }, 400, 'invalid_request'],
  ['a split without its ratio', '/SPY/2020-01-02', { answer: 'split' }, 400, 'invalid_request'],
])('an answer about %s is refused', async (_, path, payload, status, code) => {
  const headers = { 'x-api-key': operator };
  const refused = await service.app.inject({ method: 'POST', url: `/price-questions${path}`, headers, payload });
  expect([refused.statusCode, refused.json().code]).toEqual([status, code]);
});

test("the operator's first key decides what a price is, and a key of another account does not", async () => {
  const answer = (key: string) =>
    service.app.inject({
      method: 'POST',
      url: `/price-questions/SPY/${bars[LAST]?.date}`,
      headers: { 'x-api-key': key },
      payload: { answer: 'no_price' },
    });
  const refused = await answer(other);
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden']);
  expect(await get('/signal?symbol=SPY', operator)).toMatchObject({ price: STRAY, data_health: 'question' });
  expect((await answer(operator)).json()).toEqual({ answer: 'no_price' });
  await clock.advance(POLLED);
  expect(await get('/signal?symbol=SPY', operator)).toMatchObject({ price: bars[LAST - 1]?.close });
});
