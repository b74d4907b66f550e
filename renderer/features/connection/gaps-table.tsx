// Renderer, connection: every stretch that was not seen, with its cause, how much of it the market was open, and how it stands.
import { openTime, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { fineSpan, preciseTime } from '../../text/format.ts';
import { LampLine } from '../../ui/facts.tsx';
import { gapWords } from './lines.ts';

export function GapsTable() {
  const gaps = useBoard((board) => board.gaps);
  const environment = useBoard((board) => board.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  // Shares and their calendar stand for the market; the sandbox's is always open.
  const calendar = sessionCalendarOf('etf', environment);
  if (gaps.length === 0) return <p className="sheet-empty">{words.gaps.none}</p>;
  return (
    <table className="table gaps" aria-label={words.gaps.heading}>
      <thead>
        <tr>
          <th scope="col">{words.gaps.from}</th>
          <th scope="col">{words.gaps.to}</th>
          <th scope="col" className="num" title={words.gaps.marketLong}>
            {words.gaps.market}
          </th>
          <th scope="col">{words.gaps.cause}</th>
          <th scope="col">{words.gaps.now}</th>
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
                <td className="cond">{to === null ? words.gaps.until : preciseTime(to, zone, now)}</td>
                <td className="num cond">{marketTime(openTime(calendar, from, to ?? now))}</td>
                <td className="t2 gap-cause" title={gap.cause}>
                  {gap.cause}
                </td>
                <td className={gap.closed ? 't2' : 'md'}>
                  <LampLine state={gap.closed ? 'lit' : 'partial'} says={false}>
                    {gapWords(gap)}
                  </LampLine>
                </td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}

const marketTime = (ms: number): string => (ms === 0 ? '0' : fineSpan(ms));
