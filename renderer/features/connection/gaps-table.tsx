// Renderer, connection: every gap, with its cause, how much of it the market was open, and how it stands.
import { openTime, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { fineSpan, preciseTime } from '../../text/format.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { gapText } from './lines.ts';

export function GapsTable() {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  // Shares and their calendar stand for the market; the sandbox's is always open.
  const calendar = sessionCalendarOf('etf', environment);
  if (gaps.length === 0) return <p className="sheet-empty">{messages.gaps.none}</p>;
  return (
    <table className="table gaps" aria-label={messages.gaps.heading}>
      <thead>
        <tr>
          <th scope="col">{messages.gaps.from}</th>
          <th scope="col">{messages.gaps.to}</th>
          <th scope="col" className="num" title={messages.gaps.marketLong}>
            {messages.gaps.market}
          </th>
          <th scope="col">{messages.gaps.cause}</th>
          <th scope="col">{messages.gaps.now}</th>
        </tr>
      </thead>
      <tbody>
        {[...gaps]
          .sort((a, b) => b.id - a.id)
          .map((gap) => {
            const [from, to] = [Date.parse(gap.from), gap.to === null ? null : Date.parse(gap.to)];
            return (
              <tr key={gap.id}>
                <td className="cond">{preciseTime(from, zone, now)}</td>
                <td className="cond">{to === null ? messages.gaps.until : preciseTime(to, zone, now)}</td>
                <td className="num cond">{marketTime(openTime(calendar, from, to ?? now))}</td>
                <td className="t2 gap-cause" title={gap.cause}>
                  {gap.cause}
                </td>
                <td className={gap.closed ? 't2' : 'md'}>
                  <IndicatorLine state={gap.closed ? 'ok' : 'degraded'} isAnnounced={false}>
                    {gapText(gap)}
                  </IndicatorLine>
                </td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}

const marketTime = (ms: number): string => (ms === 0 ? '0' : fineSpan(ms));
