// Renderer: the one number about an alert: the chance of the fall it warns of. Card and toast show it.
import type { Alert } from '../../../shared/channels/state.ts';
import { chanceOf, fallChance } from '../../../shared/domain/fall-chance.ts';
import { texts } from '../../../shared/text/texts.ts';
import { baseRateOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';

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
