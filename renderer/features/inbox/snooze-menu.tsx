// Renderer: the menu of snooze durations; every choice has a key, the last asks for a time.

import { type ButtonHTMLAttributes, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { nextOpen, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { lasting, shortTimestamp, type Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { worldTime } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { useSymbolCalendar } from '../../store/symbol-calendar.ts';
import { lazyDialog } from '../../ui/lazy.tsx';
import { Menu, MenuButton, MenuItem } from '../../ui/menu.tsx';
import { SilenceDialog } from '../mutes/index.ts';
import { closeSnoozeMenu, openSnoozeMenu, useIsSnoozeOpen } from './snoozing.ts';
import { namesOf, symbolsOf, useActs } from './use-acts.ts';

interface SnoozeMenuProps {
  readonly alerts: readonly Alert[];
  /** The button. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly align?: 'start' | 'end';
  /** The id by which the key S finds the menu: the ledger id; 0: the chosen lines. */
  readonly id: number;
}

const MINUTE = 60_000;

const SnoozeUntilDialog = lazyDialog(
  texts.alerts.snooze.time,
  async () => (await import('./snooze-until-dialog.tsx')).SnoozeUntilDialog,
);

/** The menu is created when it is first opened: an inbox has many of these buttons. */
export function SnoozeMenu(props: SnoozeMenuProps) {
  const isOpen = useIsSnoozeOpen(props.id);
  const [opened, setOpened] = useState<'never' | 'by pointer' | 'by key'>('never');
  if (isOpen && opened === 'never') setOpened('by key');
  if (opened !== 'never') return <OpenedMenu {...props} isOpen={isOpen} isByKey={opened === 'by key'} />;
  const open = (by: 'by pointer' | 'by key'): void => {
    setOpened(by);
    openSnoozeMenu(props.id);
  };
  return (
    <span className="snooze">
      <MenuButton trigger={props.trigger} onPointer={() => open('by pointer')} onKey={() => open('by key')} />
    </span>
  );
}

interface OpenedMenuProps extends SnoozeMenuProps {
  readonly isOpen: boolean;
  /** A key press created the menu. */
  readonly isByKey: boolean;
}

function OpenedMenu({ alerts, trigger, align = 'end', id, isOpen, isByKey }: OpenedMenuProps) {
  const acts = useActs();
  const zone = usePreference((preference) => preference.zone);
  const worldClock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  const { clock } = useServices();
  const [dialog, setDialog] = useState<'time' | 'silence' | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isOpen) anchor.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const change = (open: boolean): void => (open ? openSnoozeMenu(id) : closeSnoozeMenu());
  const worldNow = (): number => worldTime(worldClock, anchoredAt, clock.now());
  const first = alerts[0]?.transition;
  const calendar = useSymbolCalendar(first?.symbol ?? null, first?.asset_class);
  const at = (ms: number): string => texts.alerts.snooze.until(shortTimestamp(ms, zone, worldNow()));
  const untilTime = (ms: number): void => acts.snooze(alerts, { kind: 'time', at: timestamp(ms) }, at(ms));
  /** @returns false if the key has no choice */
  const pick = (key: string): boolean => {
    const now = worldNow();
    if (key === '1') untilTime(now + 15 * MINUTE);
    else if (key === '2') untilTime(now + 60 * MINUTE);
    else if (key === 'o') acts.snooze(alerts, { kind: 'next_open' }, at(nextOpen(calendar, now)));
    else if (key === 'c') acts.snooze(alerts, { kind: 'change' }, texts.alerts.untilChange);
    else if (key === 'n') acts.snooze(alerts, { kind: 'recovery' }, texts.alerts.untilNormal);
    else if (key === 't' || key === 's') setDialog(key === 't' ? 'time' : 'silence');
    else return false;
    change(false);
    return true;
  };
  return (
    <span className="snooze" ref={anchor}>
      <Menu trigger={trigger} align={align} open={isOpen} onOpenChange={change} onKey={pick} byKey={isByKey}>
        <Choices symbols={symbolsOf(alerts)} calendar={calendar} zone={zone} onPick={pick} />
      </Menu>
      {dialog === 'silence' && <SilenceDialog symbols={symbolsOf(alerts)} onClose={() => setDialog(null)} />}
      {dialog === 'time' && (
        <SnoozeUntilDialog
          names={namesOf(alerts)}
          now={worldNow()}
          onClose={() => setDialog(null)}
          onAnswer={(ms) => {
            setDialog(null);
            untilTime(ms);
          }}
        />
      )}
    </span>
  );
}

interface ChoicesProps {
  readonly symbols: readonly string[];
  readonly calendar: SessionCalendar;
  readonly zone: Zone;
  readonly onPick: (key: string) => void;
}

/** Drawn while the menu is open. */
function Choices({ symbols, calendar, zone, onPick }: ChoicesProps) {
  const now = useWorldMinute();
  const at = (ms: number): string => texts.alerts.snooze.until(shortTimestamp(ms, zone, now));
  const opening = nextOpen(calendar, now);
  const choices = [
    ['1', texts.alerts.snooze.minutes15, at(now + 15 * MINUTE)],
    ['2', texts.alerts.snooze.hour, at(now + 60 * MINUTE)],
    [
      'o',
      texts.alerts.snooze.nextOpen,
      texts.alerts.snooze.nextOpenAt(shortTimestamp(opening, zone, now), lasting(opening - now)),
    ],
    ['c', texts.alerts.snooze.change, texts.alerts.snooze.changeNote],
    ['n', texts.alerts.snooze.normal, texts.alerts.snooze.normalNote],
    ['t', texts.alerts.snooze.time, ''],
    ['s', texts.silences.dialog(symbols), texts.silences.dialogNote],
  ] as const;
  return (
    <>
      {choices.map(([key, name, note]) => (
        <MenuItem key={key} onSelect={() => onPick(key)} hint={key.toUpperCase()}>
          <b className="md">{name}</b> <span className="t3">{note}</span>
        </MenuItem>
      ))}
      <p className="menu-note">{texts.alerts.snooze.again}</p>
    </>
  );
}
