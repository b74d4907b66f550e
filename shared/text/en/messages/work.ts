// Pure: the English of messages about long work.
import { type ShownProgress, WORK_UNITS, type Work } from '../../../lib/progress.ts';
import { MINUTE_MS, SECOND_MS } from '../../../lib/time.ts';
import { count, dataSize, span, wholePercent } from '../../format.ts';

const works: Record<Work, string> = {
  reading: 'Reading price files',
  recording: 'Recording prices',
  inspecting: 'Checking prices',
  computing: 'Computing closes',
  beginning: 'Computing the first events',
  fitting: 'Fitting the model',
  comparing: 'Comparing the models',
  scoring: 'Scoring the signals',
  copying: 'Copying the store',
  verifying: 'Checking the copy',
  backfill: 'Fetching events',
};

/** How much is done, and of what. */
function amountOf({ what, done, total }: Omit<ShownProgress, 'left'>): string {
  const unit = WORK_UNITS[what];
  const share = total === null || total === 0 ? '' : `${wholePercent(Math.min(100, (100 * done) / total))}\u00a0%`;
  if (unit === 'share') return share;
  const amount = unit === 'bytes' ? dataSize : (value: number): string => count(Math.floor(value));
  const whole = unit === 'bytes' ? '' : ` ${unit}`;
  if (total === null) return done === 0 ? '' : `${amount(done)}${whole}`;
  return `${amount(Math.min(done, total))} of ${amount(total)}${whole}${share === '' ? '' : ` (${share})`}`;
}

const leftOf = (ms: number): string => (ms < MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)}\u00a0s` : span(ms));

export const workMessages = {
  'work.progress': ({ left, ...progress }: ShownProgress) => {
    const amount = amountOf(progress);
    return `${works[progress.what]}${amount === '' ? '' : `: ${amount}`}${left === null ? '' : `, ${leftOf(left)} left`}`;
  },
};
