// Test: the reasons of an alert: the market and the record come before the notification.
import { renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig, type WindowRigOptions } from '../../../test/harness/window-rig.tsx';
import { useRoute } from '../../store/route.ts';
import { transitionEntry } from './episodes.ts';
import type { Line } from './filters.ts';
import type { LineActs } from './use-line-acts.ts';
import { Why } from './why.tsx';

const NOTE = 'Trades 4.2 % below its 21-day high, 78 % of the way to a breach at 86.46. Moved most: Clarity down.';

async function textOf(note: string, handlers: WindowRigOptions['handlers'] = {}): Promise<string> {
  const row = { alert: alert({ ...transition('XLB', 1, 2, T0), note }, 7), ended: null, changes: 1 };
  const line: Line = { ...transitionEntry(row), outcome: { kind: 'needs_you' } };
  const rig = await createWindowRig({
    handlers: {
      'alerts.trace': () => ({ ledger_id: 7, event_id: 'e7', event: 'signal.high_risk', steps: [], silent: [] }),
      ...handlers,
    },
  });
  rig.render(<Why line={line} acts={{ acknowledge: () => undefined } as LineActs} onClose={() => undefined} />);
  await rig.idle();
  return screen.getByRole('complementary', { name: 'Why' }).textContent;
}

test('the service’s own sentence comes first, then the record, then the notification', async () => {
  const text = await textOf(NOTE);
  const at = [NOTE, 'Base rate', 'Notification'].map((part) => text.indexOf(part));
  expect(at.every((index) => index >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
});

test('the briefing about the transition is one click away', async () => {
  const briefing: BriefingRow = {
    ...{ id: 'b1', title: 'Materials: XLB turns High Risk', type: 'transition', author: 'Equity desk', date: iso(T0) },
    ...{ summary: '', symbols: ['XLB'], reading_minutes: 1, unread: true, starred: false, later: false },
    ...{ text: 'here', excerpt: null },
  };
  const asked: unknown[] = [];
  await textOf(NOTE, {
    'briefings.list': (query) => {
      asked.push(query);
      return { rows: [briefing], next: null, total: 1 };
    },
  });
  expect(asked).toMatchObject([{ types: ['transition'], symbol: 'XLB', from: iso(T0), to: iso(T0 + 600_000) }]);
  await userEvent.click(screen.getByRole('button', { name: 'Briefing: Materials: XLB turns High Risk' }));
  const route = renderHook(() => useRoute((visit) => visit)).result.current;
  expect(route).toMatchObject({ page: 'briefings', item: 'b1' });
});

test('a service without reasons leaves the rest', async () => {
  expect(await textOf('')).toContain('Notification');
});
