// Renderer: the one number about an alert, the chance of the fall it warns of, and what is at stake.
// Card and toast show both.
import type { Alert } from '../../../shared/channels/state.ts';
import { chanceOf, fallChance } from '../../../shared/domain/fall-chance.ts';
import { DASH } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useStakeFigure, useStakeText } from '../../store/risk-order.ts';
import { baseRateOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { lossToday } from './row-values.ts';

interface ChanceTextProps {
  readonly alert: Alert;
  /** The symbol is still in this state: the chance is that of its present price, else that of the alert. */
  readonly isActive: boolean;
}

/** Draws nothing where the service states no chance. */
export function ChanceText({ alert, isActive }: ChanceTextProps) {
  const { transition } = alert;
  const { symbol, to_state: state } = transition;
  const row = useSnapshot(({ rows }) => rows[symbol]);
  const usual = useSnapshot((snapshot) => baseRateOf(snapshot, alert));
  const present = isActive && row?.signal?.state === state ? fallChance(row) : null;
  const then = chanceOf({ ...transition, state, base_rate: usual });
  const chance = present ?? (then === null ? null : { ...then, size: null, level: null });
  if (chance === null || state === 0) return null;
  return (
    <>
      <b className="strong">{texts.inbox.chance(chance.percent)}</b> {texts.inbox.chanceOf(chance)}
    </>
  );
}

/** What is at stake as a figure of a row; a dash where the symbol is not held. */
export const StakeCell = ({ symbol }: { readonly symbol: string }) => (
  <span className="num stake">
    <span className="spoken">{texts.inbox.columns.stake}</span> {useStakeFigure(symbol) ?? DASH}
  </span>
);

/** What is at stake, and the loss of the day; draws nothing where the symbol is not held. */
export function StakeText({ symbol }: { readonly symbol: string }) {
  const stake = useStakeText(symbol);
  const today = useSnapshot(({ watchlists, rows }) => {
    const loss = lossToday(watchlists, rows[symbol]);
    return loss === null ? null : texts.book.today(texts.inbox.loss(loss.unit, loss.amount));
  });
  return stake === null ? null : [stake, today].filter((part) => part !== null).join(' ');
}
