// Renderer: how long an alert is to be quiet. Every choice has a key; the last asks for a moment.

import { type ButtonHTMLAttributes, type FormEvent, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { nextOpen, type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { worldTime } from '../../store/select.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { lasting, moment, type Zone, zoneName } from '../../text/format.ts';
import { fieldOf, MOMENT_FORM, momentFrom } from '../../text/moment-field.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuButton, MenuItem } from '../../ui/menu.tsx';
import { namesOf, useActs } from './use-acts.ts';
import { useView, view } from './view-store.ts';
import './alert-forms.css';

interface SnoozeMenuProps {
  readonly alerts: readonly Alert[];
  /** The button. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly align?: 'start' | 'end';
  /** By this the key S finds it: the ledger id; 0: those chosen. */
  readonly id: number;
}

const MINUTE = 60_000;
const LONGEST = 30 * 24 * 60 * MINUTE;

/** The menu is made when it is first opened: an inbox has many of these buttons. */
export function SnoozeMenu(props: SnoozeMenuProps) {
  const isOpen = useView(({ snoozing }) => snoozing === props.id);
  const [opened, setOpened] = useState<'never' | 'by pointer' | 'by key'>('never');
  if (isOpen && opened === 'never') setOpened('by key');
  if (opened !== 'never') return <OpenedMenu {...props} isOpen={isOpen} isByKey={opened === 'by key'} />;
  const open = (by: 'by pointer' | 'by key'): void => {
    setOpened(by);
    view.snooze(props.id);
  };
  return (
    <span className="snooze">
      <MenuButton trigger={props.trigger} onPointer={() => open('by pointer')} onKey={() => open('by key')} />
    </span>
  );
}

interface OpenedMenuProps extends SnoozeMenuProps {
  readonly isOpen: boolean;
  /** It was made by a key. */
  readonly isByKey: boolean;
}

function OpenedMenu({ alerts, trigger, align = 'end', id, isOpen, isByKey }: OpenedMenuProps) {
  const acts = useActs();
  const zone = usePreference((preference) => preference.zone);
  const environment = useBoard((board) => board.profile.environment);
  const worldClock = useBoard((board) => board.connection.clock);
  const anchoredAt = useBoard((board) => board.anchoredAt);
  const { clock } = useServices();
  const [asks, setAsks] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const change = (open: boolean): void => view.snooze(open ? id : null);
  const worldNow = (): number => worldTime(worldClock, anchoredAt, clock.now());
  const calendar = sessionCalendarOf(alerts[0]?.transition.asset_class ?? 'etf', environment);
  const at = (ms: number): string => words.snooze.until(moment(ms, zone, worldNow()));
  const untilTime = (ms: number): void => acts.snooze(alerts, { kind: 'time', at: timestamp(ms) }, at(ms));
  /** @returns false where the key means nothing here */
  const pick = (key: string): boolean => {
    const now = worldNow();
    if (key === '1') untilTime(now + 15 * MINUTE);
    else if (key === '2') untilTime(now + 60 * MINUTE);
    else if (key === 'o') acts.snooze(alerts, { kind: 'next_open' }, at(nextOpen(calendar, now)));
    else if (key === 'c') acts.snooze(alerts, { kind: 'change' }, words.untilChange);
    else if (key === 'n') acts.snooze(alerts, { kind: 'recovery' }, words.untilNormal);
    else if (key === 't') {
      button.current = place.current?.querySelector('button') ?? null;
      setAsks(true);
    } else return false;
    change(false);
    return true;
  };
  return (
    <span className="snooze" ref={place}>
      <Menu trigger={trigger} align={align} open={isOpen} onOpenChange={change} onKey={pick} byKey={isByKey}>
        <Choices calendar={calendar} zone={zone} onPick={pick} />
      </Menu>
      {asks && (
        <AskTime
          names={namesOf(alerts)}
          now={worldNow()}
          returnTo={button}
          onClose={() => setAsks(false)}
          onAnswer={(ms) => {
            setAsks(false);
            untilTime(ms);
          }}
        />
      )}
    </span>
  );
}

interface ChoicesProps {
  readonly calendar: SessionCalendar;
  readonly zone: Zone;
  readonly onPick: (key: string) => void;
}

/** Drawn while the menu is open. */
function Choices({ calendar, zone, onPick }: ChoicesProps) {
  const now = useWorldMinute();
  const at = (ms: number): string => words.snooze.until(moment(ms, zone, now));
  const opening = nextOpen(calendar, now);
  const choices = [
    ['1', words.snooze.minutes15, at(now + 15 * MINUTE)],
    ['2', words.snooze.hour, at(now + 60 * MINUTE)],
    ['o', words.snooze.nextOpen, words.snooze.nextOpenAt(moment(opening, zone, now), lasting(opening - now))],
    ['c', words.snooze.change, words.snooze.changeNote],
    ['n', words.snooze.normal, words.snooze.normalNote],
    ['t', words.snooze.time, ''],
  ] as const;
  return (
    <>
      {choices.map(([key, name, note]) => (
        <MenuItem key={key} onSelect={() => onPick(key)} hint={key.toUpperCase()}>
          <b className="md">{name}</b> <span className="t3">{note}</span>
        </MenuItem>
      ))}
      <p className="menu-note">{words.snooze.again}</p>
    </>
  );
}

interface AskTimeProps {
  readonly names: string;
  /** World time, ms. */
  readonly now: number;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
  readonly onAnswer: (ms: number) => void;
}

function AskTime({ names, now, returnTo, onClose, onAnswer }: AskTimeProps) {
  // As it is now: what is typed below keeps its meaning.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const [text, setText] = useState(() => fieldOf(now + 120 * MINUTE, zone).replace('T', ' '));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const ms = momentFrom(text, zone);
    if (ms === null) setProblem(words.snooze.timeWrong);
    else if (ms <= now) setProblem(words.snooze.timePast);
    else if (ms > now + LONGEST) setProblem(words.snooze.timeFar);
    else onAnswer(ms);
  };
  return (
    <Dialog heading={words.snooze.title(names)} returnTo={returnTo} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <label className="al-field">
          <span>{words.snooze.timeLabel(zoneName(zone))}</span>
          <input
            className="field"
            type="text"
            autoComplete="off"
            placeholder={MOMENT_FORM}
            value={text}
            aria-invalid={problem !== null}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
          <span className="al-cure" role="alert">
            {problem}
          </span>
        </label>
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {words.snooze.cancel}
          </button>
          <button type="submit" className="btn primary">
            {words.snooze.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
