// Service, test: the arguments of `confirm`.
import { expect, it } from 'vitest';
import { readConfirmation } from './confirm.ts';

const read = (...argv: string[]) => readConfirmation(argv);

it('reads one decision about one price', () => {
  expect(read('aapl', '2024-06-10', '--split', '4:1', '--db', 'x.db')).toEqual({
    ok: true,
    value: {
      action: { kind: 'split', symbol: 'AAPL', date: '2024-06-10', factor: 0.25, note: null },
      db: 'x.db',
      dataDir: null,
    },
  });
  expect(read('AAPL', '2024-06-10', '--refuse')).toMatchObject({ ok: true, value: { action: { kind: 'refuse' } } });
});

it.each([
  [['AAPL', '2024-06-10'], 'confirm needs one of --real, --refuse, --split RATIO'],
  [['AAPL', '2024-06-10', '--real', '--refuse'], 'confirm needs one of --real, --refuse, --split RATIO'],
  [['AAPL', '10.06.2024', '--real'], '"10.06.2024" is no date; write it as 2020-02-24'],
  [['AAPL', '2024-06-10', '--split', 'four'], 'ratio "four" is none; write 4:1 for four shares in place of one'],
  [['AAPL'], "missing required argument 'date'"],
])('refuses %j in one line', (argv, text) => {
  expect(read(...argv)).toEqual({ ok: false, error: { text: `${text}\n`, exitCode: 2 } });
});
