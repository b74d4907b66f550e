// Renderer: the inbox while nothing is seen: what could happen unseen, what is done about it, what was last known.
import { useMemo } from 'react';
import type { Lamp } from '../../../shared/channels/state.ts';
import { LAMP_NAMES } from '../../../shared/channels/state.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlindSince, useWorldMinute, useWorldNow } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { moment, span } from '../../text/format.ts';
import { LampMark } from '../../ui/glyph.tsx';
import { GroupList } from './group-list.tsx';
import type { InboxItem } from './groups.ts';

/** How many High Risk symbols are named. */
const NAMED = 3;

export function BlindInbox({ needsYou }: { needsYou: readonly InboxItem[] }) {
  const since = useSinceWords();
  const now = useWorldMinute();
  const name = en.blind.lastKnown(since);
  const groups = useMemo(
    () => [{ id: 'was', name, tone: 'was', items: needsYou, none: en.blind.lastKnownNone } as const],
    [name, needsYou],
  );
  return <GroupList groups={groups} now={now} before={<Unseen since={since} />} />;
}

/** Since when nothing is seen, in words. */
function useSinceWords(): string {
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  return moment(useBlindSince()?.world ?? worldNow, zone, worldNow);
}

function Unseen({ since }: { since: string }) {
  const rows = useBoard((board) => board.rows);
  const signals = Object.values(rows).flatMap((row) => (row.signal === null ? [] : [row.signal]));
  const high = signals.filter((signal) => signal.state === 2).map((signal) => signal.symbol);
  const elevated = signals.filter((signal) => signal.state === 1).length;
  return (
    <>
      <h3 className="group">{en.blind.cannotSee}</h3>
      <p className="blind-words">
        <b className="md">{en.blind.symbols(signals.length)}</b> {en.blind.couldTurn}
        <br />
        <span className="t2">{en.blind.were(high.slice(0, NAMED), Math.max(0, high.length - NAMED), elevated)}</span>
      </p>
      <h3 className="group">{en.blind.beingDone}</h3>
      <BeingDone />
      <h3 className="group">{en.blind.returns}</h3>
      <p className="blind-words t2">{en.blind.returnsHow(since)}</p>
    </>
  );
}

function BeingDone() {
  const down = useApp((state) => state.link === 'down');
  const retry = useBoard((board) => board.connection.retry);
  const stopped = useBoard((board) => board.connection.stopped);
  const lamps = useBoard((board) => board.connection.lamps);
  const now = useNow();
  const lines: { readonly state: Lamp['state']; readonly text: string }[] = [];
  if (down) lines.push({ state: 'out', text: en.blind.goneWhy });
  else {
    if (stopped !== null) lines.push({ state: 'out', text: `${stopped} ${en.blind.stopped}` });
    if (retry !== null) {
      const wait = Date.parse(retry.at) - now;
      lines.push({
        state: 'out',
        text: wait > 0 ? en.blind.attempt(retry.attempt, span(wait)) : en.blind.attemptNow(retry.attempt),
      });
    }
    for (const name of LAMP_NAMES)
      lines.push({ state: lamps[name].state, text: `${en.status.lamp[name]}: ${lamps[name].detail}` });
  }
  return (
    <ul>
      {lines.map(({ state, text }) => (
        <li className="blind-line" key={text}>
          <LampMark state={state} />
          {text}
        </li>
      ))}
    </ul>
  );
}
