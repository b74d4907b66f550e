// Test: the id of a new item.
import { expect, it } from 'vitest';
import { freshId } from './fresh-id.ts';

it('an id is made from the name, and is unique', () => {
  expect(freshId('Night watch!', [], 'rule')).toBe('night-watch');
  expect(freshId('High Risk', ['high-risk', 'high-risk-2'], 'rule')).toBe('high-risk-3');
  expect(freshId('规则', [], 'rule')).toBe('rule');
  expect(freshId('x'.repeat(80), [], 'rule').length).toBeLessThanOrEqual(40);
});
