// Test: the strip of an episode: widths by time, also where many brief states follow a long one.
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { EpisodeHistory } from './episode-history.tsx';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('two weeks that were not recorded are most of the strip, however many states of the last hours follow', () => {
  const start = 14 * DAY;
  const hours = Array.from({ length: 16 }, (_, index) => ({
    state: index % 2 === 0 ? (2 as const) : (1 as const),
    from: start + index * HOUR,
    to: start + (index + 1) * HOUR,
  }));
  const segments = [{ state: null, from: 0, to: start }, ...hours];
  const { container } = render(<EpisodeHistory segments={segments} ended={false} now={start + 16 * HOUR} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/^Not listed here for 14\sd, then High Risk 1\sh/);
  const line = container.querySelector('line');
  const unrecorded = Number(line?.getAttribute('x2')) - Number(line?.getAttribute('x1'));
  const others = [...container.querySelectorAll('rect[y="0"]')].map((one) => Number(one.getAttribute('width')));
  expect(others).toHaveLength(8);
  // Of 74 px, 16 gaps take 16.
  expect(unrecorded).toBeGreaterThan(29);
  expect(Math.min(...others)).toBeGreaterThan(1);
});
