// Service, news, test: sentiment of texts.
import { expect, test } from 'vitest';
import { sentimentOf } from './sentiment.ts';

test.each([
  ['Shares plunge on fraud and bankruptcy fears', 'negative'],
  ['Profit rises, outlook strong', 'positive'],
  ['The board meets on Tuesday', 'neutral'],
  ['', 'neutral'],
])('%s is %s', (text, label) => {
  const { score, label: found } = sentimentOf(text);
  expect(found).toBe(label);
  expect(Math.abs(score)).toBeLessThanOrEqual(1);
  expect(Object.is(score, -0)).toBe(false);
});

test('a negation inverts the next words and weakens them', () => {
  const [good, not] = [sentimentOf('profit is strong').score, sentimentOf('profit is not strong').score];
  expect(not).toBeLessThan(good);
  expect(Math.abs(sentimentOf('not strong').score)).toBeLessThan(sentimentOf('strong').score);
});

test('names have no sentiment', () => {
  expect(sentimentOf('Health Care Trust meets', ['Health Care Trust'])).toEqual({ score: 0, label: 'neutral' });
  expect(sentimentOf('Health Care Trust meets').score).toBeGreaterThan(0);
});
