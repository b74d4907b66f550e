// Test: comparing and parsing the draft of a rule.
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { draftOf, isOther, type RuleDraft, ruleOf } from './rule-draft.ts';

const context = { now: T0, lists: ['desk', 'night'], taken: ['high-risk'], saved: null } as const;
const draft = (more: Partial<RuleDraft> = {}): RuleDraft => ({ ...draftOf(DEFAULT_RULE, 'market'), ...more });
const problemsOf = (more: Partial<RuleDraft>): string[] => {
  const made = ruleOf(draft(more), context);
  return made.ok ? [] : Object.keys(made.error);
};

describe('edits', () => {
  it('are none where the draft equals its first version, even after an edit was undone', () => {
    expect(isOther(draft(), draft())).toBe(false);
    expect(isOther({ ...draft({ name: 'Other' }), name: DEFAULT_RULE.name }, draft())).toBe(false);
  });
  it.each<Partial<RuleDraft>>([
    { name: 'Other' },
    { events: ['signal.elevated'] },
    { hours: { ...draft().hours, kind: 'session' } },
    { channels: ['phone'] },
  ])('are found in any field: %o', (more) => {
    expect(isOther(draft(more), draft())).toBe(true);
  });
});

describe('a rule in the editor', () => {
  it('is enabled or disabled as in the list, whatever it was when it was opened', () => {
    const made = (enabled: boolean, saved: boolean | null) =>
      ruleOf(draft({ enabled }), { ...context, saved: saved === null ? null : { enabled: saved } });
    expect(made(false, true)).toMatchObject({ ok: true, value: { enabled: true } });
    expect(made(true, false)).toMatchObject({ ok: true, value: { enabled: false } });
    expect(made(false, null)).toMatchObject({ ok: true, value: { enabled: false } });
  });
  const MANY: Rule[] = [
    DEFAULT_RULE,
    {
      ...DEFAULT_RULE,
      id: 'night-watch',
      expires_at: iso(Math.ceil((T0 + 86_400_000) / 60_000) * 60_000),
      profiles: ['replay20'],
      events: ['signal.elevated', 'regime.flip'],
      scope: { kind: 'lists', ids: ['night'] },
      min_state: 1,
      min_confidence: 12.5,
      regimes: ['stress'],
      hours: { kind: 'daily', zone: 'Europe/Berlin', days: [1, 5], from: '20:00', to: '04:00' },
      hold_up_seconds: 60,
      hold_down_seconds: 600,
      channels: ['mail'],
      escalation: {
        hours: { kind: 'session', calendar: 'us' },
        steps: [
          { after_minutes: 5, channels: ['phone'] },
          { after_minutes: 15, channels: ['phone', 'mail'] },
        ],
      },
    },
    {
      ...DEFAULT_RULE,
      scope: { kind: 'symbols', symbols: ['SPY', 'BRK.B'] },
      except: ['BRK.B'],
      classes: ['etf', 'index'],
      hours: { kind: 'session', calendar: 'us' },
    },
  ];
  it('may be about the list of another profile, which is not shown here', () => {
    expect(problemsOf({ scope: 'lists', lists: ['desk', 'prices-replay'] })).toEqual([]);
    expect(texts.rules.editor.listGone('prices-replay')).toBe('the list of replay');
  });
  it.each(MANY)('survives a round trip: $name', (rule) => {
    expect(ruleOf(draftOf(rule, 'market'), context)).toEqual({ ok: true, value: rule });
  });
  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(81) }],
    ['events', { events: [] }],
    ['lists', { scope: 'lists', lists: [] }],
    ['lists', { scope: 'lists', lists: ['gone', 'prices-replay'] }],
    ['symbols', { scope: 'symbols', symbols: ' ' }],
    ['symbols', { scope: 'symbols', symbols: 'SPY $$$' }],
    ['except', { except: 'SPY $$$' }],
    ['except', { scope: 'symbols', symbols: 'SPY', except: 'spy' }],
    ['classes', { events: ['regime.flip'], classes: ['etf'] }],
    ['confidence', { confidence: 'high' }],
    ['confidence', { confidence: '101' }],
    ['confidence', { confidence: '-1' }],
    ['holdUp', { holdUp: '1.5' }],
    ['holdDown', { holdDown: '4000' }],
    ['ends', { ends: 'tomorrow' }],
    ['ends', { ends: '2026-11-19T10:00' }],
    [
      'hours.zone',
      { hours: { kind: 'daily', calendar: 'own', zone: 'Mars/Base', days: [1], from: '09:00', to: '10:00' } },
    ],
    ['hours.days', { hours: { kind: 'daily', calendar: 'own', zone: 'UTC', days: [], from: '09:00', to: '10:00' } }],
    ['hours.from', { hours: { kind: 'daily', calendar: 'own', zone: 'UTC', days: [1], from: '9', to: '10:00' } }],
    ['escalation.0.after', { escalation: [{ after: 'soon', channels: ['phone'] }] }],
    ['escalation.0.after', { escalation: [{ after: '241', channels: ['phone'] }] }],
    ['escalation.0.channels', { escalation: [{ after: '5', channels: [] }] }],
    [
      'escalation.1.after',
      {
        escalation: [
          { after: '5', channels: ['phone'] },
          { after: '5', channels: ['mail'] },
        ],
      },
    ],
    ['escalationHours.days', { escalationHours: { ...draft().hours, kind: 'daily', days: [] } }],
  ] satisfies [string, Partial<RuleDraft>][])('is refused at %s: %j', (field, more) => {
    expect(problemsOf(more)).toEqual([field]);
  });
  it('ends at the typed time, in the zone at typing, also across a clock change', () => {
    const endOf = (ends: string, endsZone: RuleDraft['endsZone']) => {
      const made = ruleOf(draft({ ends, endsZone }), context);
      return made.ok ? made.value.expires_at : made.error;
    };
    expect(endOf('2027-03-12 10:00', 'market')).toBe('2027-03-12T15:00:00.000Z');
    expect(endOf('2027-03-15 10:00', 'market')).toBe('2027-03-15T14:00:00.000Z');
    expect(endOf('2027-03-15 10:00', 'utc')).toBe('2027-03-15T10:00:00.000Z');
  });
  it('takes an hour of one digit', () => {
    const made = ruleOf(
      draft({ hours: { kind: 'daily', calendar: 'own', zone: 'UTC', days: [1], from: '9:30 ', to: '16:00' } }),
      context,
    );
    expect(made).toMatchObject({ ok: true, value: { hours: { from: '09:30', to: '16:00' } } });
  });
  it('that is disabled may have ended', () => {
    expect(problemsOf({ enabled: false, ends: '2026-11-19T10:00' })).toEqual([]);
  });
});
