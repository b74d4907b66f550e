// Renderer: the inbox during an outage: risks, retries, and the last known states.
import { useMemo } from 'react';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import { INDICATOR_NAMES } from '../../../shared/channels/state.ts';
import { shortTimestamp, span } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { useOutageStart, useServiceStart, useWorldMinute, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useRiskOrder } from '../../store/risk-order.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { GroupList } from './group-list.tsx';
import type { InboxItem } from './groups.ts';

/** How many High Risk symbols are named. */
const NAMED = 3;

export function OutageInbox({ needsYou }: { needsYou: readonly InboxItem[] }) {
  const since = useSinceLabel();
  const now = useWorldMinute();
  const name = texts.common.outage.lastKnown(since);
  const wasReceived = useSnapshot(({ rows }) => Object.values(rows).some(({ signal }) => signal !== null));
  const none = wasReceived ? texts.common.outage.lastKnownNone : texts.common.outage.lastKnownNever;
  const groups = useMemo(
    () => [{ id: 'was', name, tone: 'was', items: needsYou, none } as const],
    [name, needsYou, none],
  );
  return <GroupList groups={groups} now={now} before={<OutageSummary since={since} />} />;
}

/** Start of the outage, as text. */
function useSinceLabel(): string {
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  return shortTimestamp(useOutageStart()?.world ?? worldNow, zone, worldNow);
}

function OutageSummary({ since }: { since: string }) {
  const isStarting = useServiceStart() !== null;
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const signals = Object.values(rows).flatMap((row) => (row.signal === null ? [] : [row.signal]));
  const { compareSymbols } = useRiskOrder();
  const high = signals
    .filter((signal) => signal.state === 2)
    .map((signal) => signal.symbol)
    .sort(compareSymbols);
  const elevated = signals.filter((signal) => signal.state === 1).length;
  return (
    <>
      <h3 className="group">{texts.common.outage.cannotSee}</h3>
      <p className="outage-text">
        {signals.length === 0 ? (
          texts.common.outage.barNothing
        ) : (
          <>
            <b className="md">{texts.common.outage.symbols(signals.length)}</b> {texts.common.outage.couldTurn}
            <br />
            <span className="t2">
              {texts.common.outage.were(high.slice(0, NAMED), Math.max(0, high.length - NAMED), elevated)}
            </span>
          </>
        )}
      </p>
      <h3 className="group">{texts.common.outage.beingDone}</h3>
      <BeingDone />
      {!isStarting && (
        <>
          <h3 className="group">{texts.common.outage.returns}</h3>
          <p className="outage-text t2">{texts.common.outage.returnsHow(since)}</p>
        </>
      )}
    </>
  );
}

function BeingDone() {
  const down = useApp((state) => state.link === 'down');
  const retry = useSnapshot((snapshot) => snapshot.connection.retry);
  const refused = useSnapshot((snapshot) => snapshot.connection.refused);
  const indicators = useSnapshot((snapshot) => snapshot.connection.indicators);
  const now = useNow();
  const start = useServiceStart();
  const lines: { readonly state: HealthIndicator['state']; readonly text: string }[] = [];
  if (down) lines.push({ state: 'down', text: texts.common.outage.goneWhy });
  else if (start !== null) lines.push({ state: 'degraded', text: textOf(start) });
  else {
    if (refused !== null) lines.push({ state: 'down', text: `${textOf(refused)} ${texts.common.outage.refused}` });
    if (retry !== null) {
      const wait = Date.parse(retry.at) - now;
      lines.push({
        state: 'down',
        text:
          wait > 0
            ? texts.common.outage.attempt(retry.attempt, span(wait))
            : texts.common.outage.attemptNow(retry.attempt),
      });
    }
    for (const name of INDICATOR_NAMES)
      lines.push({
        state: indicators[name].state,
        text: `${texts.common.status.indicator[name]}: ${textOf(indicators[name].detail)}`,
      });
  }
  return (
    <ul>
      {lines.map(({ state, text }) => (
        <li className="outage-line" key={text}>
          <IndicatorIcon state={state} />
          {text}
        </li>
      ))}
    </ul>
  );
}
