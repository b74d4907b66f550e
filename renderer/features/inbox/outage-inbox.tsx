// Renderer: the inbox during an outage: risks, retries, and the last known states.
import { useMemo } from 'react';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import { INDICATOR_NAMES } from '../../../shared/channels/state.ts';
import { useNow } from '../../services.ts';
import { useOutageStart, useWorldMinute, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { shortTimestamp, span } from '../../text/format.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { GroupList } from './group-list.tsx';
import type { InboxItem } from './groups.ts';

/** How many High Risk symbols are named. */
const NAMED = 3;

export function OutageInbox({ needsYou }: { needsYou: readonly InboxItem[] }) {
  const since = useSinceLabel();
  const now = useWorldMinute();
  const name = en.outage.lastKnown(since);
  const groups = useMemo(
    () => [{ id: 'was', name, tone: 'was', items: needsYou, none: en.outage.lastKnownNone } as const],
    [name, needsYou],
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
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const signals = Object.values(rows).flatMap((row) => (row.signal === null ? [] : [row.signal]));
  const high = signals.filter((signal) => signal.state === 2).map((signal) => signal.symbol);
  const elevated = signals.filter((signal) => signal.state === 1).length;
  return (
    <>
      <h3 className="group">{en.outage.cannotSee}</h3>
      <p className="outage-text">
        <b className="md">{en.outage.symbols(signals.length)}</b> {en.outage.couldTurn}
        <br />
        <span className="t2">{en.outage.were(high.slice(0, NAMED), Math.max(0, high.length - NAMED), elevated)}</span>
      </p>
      <h3 className="group">{en.outage.beingDone}</h3>
      <BeingDone />
      <h3 className="group">{en.outage.returns}</h3>
      <p className="outage-text t2">{en.outage.returnsHow(since)}</p>
    </>
  );
}

function BeingDone() {
  const down = useApp((state) => state.link === 'down');
  const retry = useSnapshot((snapshot) => snapshot.connection.retry);
  const stopped = useSnapshot((snapshot) => snapshot.connection.stopped);
  const indicators = useSnapshot((snapshot) => snapshot.connection.indicators);
  const now = useNow();
  const lines: { readonly state: HealthIndicator['state']; readonly text: string }[] = [];
  if (down) lines.push({ state: 'down', text: en.outage.goneWhy });
  else {
    if (stopped !== null) lines.push({ state: 'down', text: `${stopped} ${en.outage.stopped}` });
    if (retry !== null) {
      const wait = Date.parse(retry.at) - now;
      lines.push({
        state: 'down',
        text: wait > 0 ? en.outage.attempt(retry.attempt, span(wait)) : en.outage.attemptNow(retry.attempt),
      });
    }
    for (const name of INDICATOR_NAMES)
      lines.push({ state: indicators[name].state, text: `${en.status.indicator[name]}: ${indicators[name].detail}` });
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
