// Test: the tools of the timeline: the dialog for a custom range, and the choice of candles.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { TimelineTools } from './timeline-tools.tsx';

const at = (day: string): number => Date.parse(day);
const whole = { from: at('2026-01-05T21:00:00Z'), to: at('2026-03-10T15:30:00Z') };

async function open(style: 'line' | 'candles' | null = 'line') {
  const chosen: unknown[] = [];
  const styles: string[] = [];
  const rig = await renderInWindow(
    <TimelineTools
      chosen={{ days: 30 }}
      onChosen={(choice) => chosen.push(choice)}
      resolution="day"
      onResolution={() => undefined}
      style={style}
      onStyle={(next) => styles.push(next)}
      whole={whole}
      query={null}
      note={null}
    />,
  );
  await rig.user.click(screen.getByRole('button', { name: 'Custom' }));
  return { ...rig, chosen, styles };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const show = () => screen.getByRole('button', { name: 'Show' });

test('offers the last week, and shows whole days of the range', async () => {
  const { user, chosen } = await open();
  expect([field('From').value, field('To').value]).toEqual(['2026-03-03', '2026-03-10']);
  await user.clear(field('To'));
  await user.type(field('To'), '2026-03-05');
  await user.click(show());
  await waitFor(() => expect(chosen).toEqual([{ interval: { from: at('2026-03-03') + 1, to: at('2026-03-06') } }]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an own range is refused at the field that is no day, and at both where days are outside the history', async () => {
  const { user, chosen } = await open();
  await user.clear(field('To'));
  await user.type(field('To'), 'soon');
  await user.click(show());
  await waitFor(() => expect(field('To').getAttribute('aria-invalid')).toBe('true'));
  expect(field('From').getAttribute('aria-invalid')).toBe('false');
  expect(screen.getByRole('alert').textContent).toBe('Enter a date like 2026-11-21.');
  for (const name of ['From', 'To']) {
    await user.clear(field(name));
    await user.type(field(name), '2020-01-02');
  }
  await user.click(show());
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  expect(screen.getAllByRole('alert')[0]?.textContent).toBe('The history reaches from 2026-01-05 to 2026-03-10.');
  expect(chosen).toEqual([]);
});

test('candles can be chosen where there are any', async () => {
  const { user, styles } = await open('line');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Line' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Candles' }));
  expect(styles).toEqual(['candles']);
});

test('candles are not offered where only closes are known', async () => {
  await open(null);
  expect(screen.queryByRole('group', { name: 'Prices as' })).toBeNull();
});
