// Test: calibration as a diagram and as a table, and the baselines.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ReliabilityCurve, ValidationDetails } from '../../../shared/channels/validation.ts';
import { Baselines } from './baselines.tsx';
import { Calibration } from './calibration.tsx';

const curve = (happened: number, interval: ReliabilityCurve['interval'] = null): ReliabilityCurve => ({
  bins: [
    { said: 0.1, happened: 0.08, bars: 400, interval: null },
    { said: 0.4, happened, bars: 90, interval },
  ],
  bars: 490,
  base_rate: 0.12,
  brier_skill: 0.1,
  calibration_error: 0.02,
  interval,
});
const NO_CURVES = { full: null, holdout: null };

const cellsOf = (row: HTMLElement | undefined): string[] =>
  row === undefined ? [] : [...row.children].map(({ textContent }) => textContent);

test('the hold-out is shown first; the same points as a table, for either window', async () => {
  render(<Calibration details={{ reliability: { full: curve(0.5), holdout: curve(0.3) }, high_risk: NO_CURVES }} />);
  expect(screen.getByRole('figure', { name: 'Predicted against observed' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  const rows = () => within(screen.getByRole('table')).getAllByRole('row');
  expect(cellsOf(rows()[0])).toEqual(['Predicted', 'Observed', '90 % interval', 'Days']);
  expect(cellsOf(rows()[2])[1]).toMatch(/^30/);
  await userEvent.click(screen.getByRole('button', { name: 'full window' }));
  expect(cellsOf(rows()[2])[1]).toMatch(/^50/);
});

test('the published chance of High Risk comes first, with the intervals of the service', async () => {
  const high_risk = { full: null, holdout: curve(0.45, { low: 0.27, high: 0.61 }) };
  render(<Calibration details={{ reliability: { full: null, holdout: curve(0.3) }, high_risk }} />);
  expect(screen.getByText(/^Calibration error .020 \(90 %: .270 to .610\)\./)).toBeDefined();
  const slider = screen.getByRole('slider', { name: /^Groups of days/ });
  expect(slider.getAttribute('aria-valuetext')).toMatch(/^40.*predicted, 45.*observed \(27.* to 61.*\), 90 days$/);
  await userEvent.click(screen.getByRole('button', { name: 'All days: a new event' }));
  // Wilson's interval, where the service gives none.
  expect(slider.getAttribute('aria-valuetext')).toMatch(/^40.*predicted, 30.*observed \(22.* to 38.*\), 90 days$/);
  expect(screen.getByText(/^Calibration error .020\. /)).toBeDefined();
});

test('the Brier skill has its sign, as below 0 it is worse than the base rate', () => {
  const holdout = { ...curve(0.3), brier_skill: -0.02 };
  render(<Calibration details={{ reliability: { full: null, holdout }, high_risk: NO_CURVES }} />);
  expect(screen.getByText('Brier skill −.02')).toBeDefined();
});

test('a record without a calibration curve says so', () => {
  render(<Calibration details={{ reliability: NO_CURVES, high_risk: NO_CURVES }} />);
  expect(screen.getByText('This service provides no calibration.')).toBeDefined();
});

const details = (more: object) =>
  ({
    baselines: [],
    pooled: null,
    uncertainty: { full: null, holdout: null },
    ...more,
  }) as unknown as ValidationDetails;

test('the baselines are listed from the worst, then the model', () => {
  const baselines = [
    { name: 'sma200', full: 0.3, holdout: 0.2 },
    { name: 'always_on', full: 0.1, holdout: null },
  ];
  render(<Baselines details={details({ baselines, pooled: { full: { f1: 0.5 }, holdout: { f1: 0.4 } } })} />);
  const names = screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(names).toEqual(['Always on', 'Below the 200-day mean', 'This model']);
  expect(cellsOf(screen.getAllByRole('row')[1]).at(-1)).toBe('–');
});

test('a record without baselines has no table of them', () => {
  render(<Baselines details={details({})} />);
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('This service provides no baselines.')).toBeDefined();
});
