// Renderer: the chart's data as tables: the symbol's transitions, its daily values, and the gaps. What the chart shows can be read here.
import { useShallow } from 'zustand/react/shallow';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { openTime, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { type ChartModel, sessionMs } from '../../charts/model.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { DASH, percent, price, sessionDay, shortTimestamp, span } from '../../text/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { StateLabel } from '../../ui/state-label.tsx';
import './record.css';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';

export type RecordView = 'transitions' | 'daily' | 'gaps';

export function Record({ model, view }: { model: ChartModel; view: RecordView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="scroll record" tabIndex={0} aria-label={en.record[view]}>
      {view === 'transitions' && <Transitions model={model} />}
      {view === 'daily' && <Daily model={model} />}
      {view === 'gaps' && <Gaps />}
    </section>
  );
}

function Transitions({ model }: { model: ChartModel }) {
  const isOffline = useIsOffline();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const noted = useSnapshot(useShallow((snapshot) => snapshot.alerts.filter(({ note }) => note !== '')));
  const assetClass = useSnapshot((snapshot) => snapshot.rows[model.symbol]?.signal?.asset_class);
  const calendar = assetClass === undefined ? 'always' : sessionCalendarOf(assetClass, environment);
  if (model.stateChanges.length === 0) return <p className="empty">{en.record.noTransitions(model.symbol)}</p>;
  const notes = new Map<string | undefined, string>(noted.map(({ transition, note }) => [transition.event_id, note]));
  const newestFirst = model.stateChanges
    .map((turn, index) => ({ turn, until: model.stateChanges[index + 1]?.at ?? null }))
    .reverse();
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="first">{en.record.time}</th>
          <th>{en.record.turned}</th>
          <th>{en.record.from}</th>
          <th className="num">{en.record.lasted}</th>
          {calendar !== 'always' && (
            <th className="num" title={en.record.lastedMarketLong}>
              {en.record.lastedMarket}
            </th>
          )}
          <th className="num">{en.record.confidence}</th>
          <th className="last">{en.record.regime}</th>
        </tr>
      </thead>
      <tbody>
        {newestFirst.map(({ turn, until }) => (
          <tr key={turn.transition?.event_id ?? turn.at}>
            <td className="cond first">
              {turn.transition === null ? sessionDay(sessionMs(turn.at)) : shortTimestamp(turn.at, zone, now)}
            </td>
            <td>
              <span className="turned">
                <Glyph name={turn.to} size={12} />
                <StateLabel state={turn.to} />
              </span>
            </td>
            <td className="t2">{stateLabel(turn.from)}</td>
            <td className="num cond">
              {until === null ? (isOffline ? en.record.notKnown : en.record.now) : span(until - turn.at)}
            </td>
            {calendar !== 'always' && (
              <td className="num cond t2">{until === null ? '' : span(openTime(calendar, turn.at, until))}</td>
            )}
            <td className="num cond">{turn.transition === null ? DASH : percent(turn.transition.confidence)}</td>
            <td className="t2 cond last">
              {turn.transition === null ? en.record.dailyHistory : regimeText(turn.transition.regime)}
              {notes.has(turn.transition?.event_id) && (
                <span className="record-note">{notes.get(turn.transition?.event_id)}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Daily({ model }: { model: ChartModel }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="first">{en.record.day}</th>
          <th className="num">{en.record.price}</th>
          <th>{en.record.state}</th>
          <th className="num">{en.record.confidence}</th>
          <th className="last">{en.record.regime}</th>
        </tr>
      </thead>
      <tbody>
        {[...model.points].reverse().map((point) => (
          <tr key={point.ms}>
            <td className="cond first">{sessionDay(sessionMs(point.ms))}</td>
            <td className="num">{point.price === null ? DASH : price(point.price)}</td>
            <td>
              {point.state !== null && (
                <span className="turned">
                  <Glyph name={point.state} size={12} />
                  <StateLabel state={point.state} />
                </span>
              )}
            </td>
            <td className="num cond">{percent(point.confidence)}</td>
            <td className="t2 cond last">{regimeText(point.regime)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Gaps() {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  if (gaps.length === 0) return <p className="empty">{en.record.noGaps}</p>;
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="first">{en.record.from}</th>
          <th>{en.record.until}</th>
          <th>{en.record.status}</th>
          <th>{en.record.cause}</th>
        </tr>
      </thead>
      <tbody>
        {[...gaps]
          .sort((a, b) => b.id - a.id)
          .map((gap) => (
            <tr key={gap.id}>
              <td className="cond first">{shortTimestamp(Date.parse(gap.from), zone, now)}</td>
              <td className="cond">
                {gap.to === null ? en.record.now : shortTimestamp(Date.parse(gap.to), zone, now)}
              </td>
              <td className={gap.closed ? 't3' : 'md'}>{gap.closed ? en.record.filled : en.record.stillOpen}</td>
              <td className="t2 cause">{gap.cause}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

const regimeText = (regime: string | null): string => (regime === null ? DASH : regimeLabel(regime));
