// Test: the question about a price: what is known of it, what follows from each answer, and what is sent.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { iso, PRICE_QUESTION, row, signal, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { PriceQuestionDialogs, QuestionButton, QuestionTag } from './index.ts';
import { questionChart } from './question-dialog.tsx';

const HEADING = 'What is the price 120.10 of SPY?';
const DAY = 86_400_000;

async function open(more: Partial<PriceQuestion> = {}, handlers: CoreHandlers = {}) {
  const question = { ...PRICE_QUESTION, ...more };
  const known = row('SPY', 2, { signal: signal('SPY', 2, { data_health: 'question', price_question: question }) });
  const rig = await renderInWindow(
    <>
      <QuestionButton symbol="SPY" />
      <QuestionTag symbol="SPY" question={question} />
      <PriceQuestionDialogs />
    </>,
    {
      'state.snapshot': () => snapshot({ rows: [known] }),
      'timeline.read': () => TIMELINE,
      'prices.answer': () => ({}),
      ...handlers,
    },
  );
  const [first] = screen.getAllByRole('button');
  if (first !== undefined) await rig.user.click(first);
  await screen.findByRole('dialog', { name: HEADING }, { timeout: 10_000 });
  return rig;
}
const TIMELINE: Timeline = {
  symbol: 'SPY',
  points: Array.from({ length: 90 }, (_, index) => ({
    at: iso(T0 - (89 - index) * DAY),
    ...{ price: index < 89 ? 180 : 120.1, volume: index < 89 ? 1_000 : 1_650 },
    ...{ state: 0, regime: null, confidence: null },
  })),
  transitions: [],
};
const decide = () => screen.getByRole('button', { name: 'Decide' });

test('what is known, and what follows from each answer, stand in it', async () => {
  await open();
  const text = screen.getByRole('dialog').textContent;
  expect(text).toMatch(/−33\.39\s% after a close of 180\.30/);
  expect(text).toContain('as by a split 3:2 that nobody announced');
  expect(text).toMatch(/Volume in shares of before: 1\.1 times the usual; range: 0\.9 times/);
  expect(text).toContain('At the close before it was Normal.');
  const described = (name: string | RegExp, description: RegExp) =>
    expect(screen.getByRole('radio', { name, description })).toBeDefined();
  described('A price', /^It counts\. SPY is High Risk, and stays so\.$/);
  described(/^A split/, /so that the day is −0\.08\s%/);
  described('No price', /the last close is 180\.30\. What rested on it is withdrawn/);
});

test('an answer is chosen first; a split needs a ratio; then it is sent, and the dialog closes', async () => {
  const { user, calls } = await open();
  await user.click(decide());
  expect(screen.getByRole('alert').textContent).toBe('Choose what the price is.');
  await user.click(screen.getByRole('radio', { name: /^A split/ }));
  const ratio = screen.getByRole('textbox', { name: 'New shares for old ones' });
  await user.clear(ratio);
  await user.type(ratio, 'three');
  await user.click(decide());
  expect(screen.getByRole('alert').textContent).toMatch(/^Write the ratio as 4:1/);
  await user.clear(ratio);
  await user.type(ratio, '3:2');
  expect(screen.getByText('confirm SPY 2026-11-19 --split 3:2')).toBeDefined();
  await user.click(decide());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ name }) => name === 'prices.answer')).toEqual([
    { name: 'prices.answer', input: { symbol: 'SPY', date: '2026-11-19', answer: { answer: 'split', ratio: '3:2' } } },
  ]);
});

test('a refusal stays in the dialog, with the command that decides elsewhere', async () => {
  const { user } = await open({}, { 'prices.answer': () => refuse('This key may not.') });
  await user.click(screen.getByRole('radio', { name: 'No price' }));
  await user.click(decide());
  expect((await screen.findByRole('alert')).textContent).toBe('This key may not.');
  expect(screen.getByText('confirm SPY 2026-11-19 --refuse')).toBeDefined();
});

test('a split that was assumed needs no decision; its tag opens the question all the same', async () => {
  await open({ counts_as: 'split' });
  expect(screen.queryByRole('button', { name: /^Decide SPY/ })).toBeNull();
  const description = /^It counts as it is, as a move of −33\.39\s%\.$/;
  expect(screen.getByRole('radio', { name: 'A price', description })).toBeDefined();
});

test('the chart counts the volume of the day in shares of before, beside the usual one', () => {
  const chart = questionChart(TIMELINE, PRICE_QUESTION);
  const heights = chart?.bars.map(({ height }) => height) ?? [];
  expect(heights).toHaveLength(60);
  const [usual = 0] = heights;
  expect((heights.at(-1) ?? 0) / usual).toBeCloseTo(1.1, 1);
  expect(chart?.bars.map(({ isAsked }) => isAsked).lastIndexOf(true)).toBe(59);
  expect(
    (questionChart(TIMELINE, { ...PRICE_QUESTION, doubt: 'stray' })?.bars.at(-1)?.height ?? 0) / usual,
  ).toBeGreaterThan(1);
  expect(questionChart({ ...TIMELINE, points: TIMELINE.points.slice(0, 1) }, PRICE_QUESTION)).toBeNull();
});
