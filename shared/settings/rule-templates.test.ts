// Test: the templates of rules.
import { expect, test } from 'vitest';
import { DEFAULT_WATCHLIST } from '../domain/watchlists.ts';
import { RuleSchema } from './alert-rules.ts';
import { deadEventsOf } from './rule-contradictions.ts';
import { TEMPLATE_NAMES, type TemplateContext, templateRule } from './rule-templates.ts';

const SHORT = {
  id: 'short',
  name: 'Short',
  sections: [{ name: 'All', symbols: ['SPY'] }],
  holdings: { unit: 'quantity' as const, rows: [{ symbol: 'SPY', amount: 3 }] },
};
const CONTEXT: TemplateContext = {
  watchlists: [DEFAULT_WATCHLIST, SHORT],
  channels: [
    { id: 'phone', name: 'Phone', destination: { kind: 'ntfy', url: 'https://ntfy.sh/topic', answers: null } },
    { id: 'team', name: 'Team', destination: { kind: 'slack' } },
  ],
  selected: 'QQQ',
};

test.each(TEMPLATE_NAMES)('the template %s is a valid rule, each event of which can match', (name) => {
  const rule = templateRule(name, 'Any', CONTEXT);
  const level = rule.price?.kind === 'level' ? { price: { ...rule.price, level: 400 } } : {};
  expect(RuleSchema.parse({ ...rule, ...level })).toEqual({ ...rule, ...level });
  expect(deadEventsOf(rule)).toBeNull();
});

test('the templates find the lists, the phone and the symbol that they are about', () => {
  const rule = (name: (typeof TEMPLATE_NAMES)[number]) => templateRule(name, 'Any', CONTEXT);
  expect(rule('holdings').scope).toEqual({ kind: 'lists', ids: ['short'] });
  expect(rule('changes').scope).toEqual({ kind: 'lists', ids: ['short'] });
  expect(rule('breadth').breadth).toEqual({ list: 'desk', percent: 30, state: 2 });
  expect(rule('coins').channels).toEqual(['phone']);
  expect(rule('level').scope).toEqual({ kind: 'symbols', symbols: ['QQQ'] });
});
