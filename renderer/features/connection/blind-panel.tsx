// Renderer, connection: what happens when nothing is seen: after how long it is told, how, and what is tried meanwhile.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { goTo } from '../../store/place.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { Fact, Facts } from '../../ui/facts.tsx';

export function BlindPanel({ details }: { details: ConnectionDetails | null }) {
  const blind = useApp((state) => state.wholes.alerting?.blind ?? null);
  const tier = useBoard((board) => board.notifier.tier);
  return (
    <section aria-label={words.blind.heading}>
      <div className="head block-head">
        <h2>{words.blind.heading}</h2>
      </div>
      <Facts narrow>
        {blind !== null && (
          <Fact name={words.blind.after}>
            {words.blind.minutes(blind.market_minutes, blind.other_minutes)}{' '}
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'blind' })}>
              {words.blind.change}
            </button>
          </Fact>
        )}
        <Fact name={words.blind.how}>{words.blind.howWords(tier === 'system')}</Fact>
        {details !== null && (
          <Fact name={words.blind.meanwhile}>{words.blind.polls(Math.round(details.polling.events / 1000))}</Fact>
        )}
      </Facts>
    </section>
  );
}
