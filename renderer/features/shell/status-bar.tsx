// Renderer: the status bar: the worst health indicator, the details of all on request, and the service's clock.
import { useRef } from 'react';
import { type HealthIndicator, INDICATOR_NAMES } from '../../../shared/channels/state.ts';
import { count, fullTime, zoneName, zoneOffset } from '../../../shared/text/format.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { worldTime } from '../../store/select.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import '../../ui/dialog.css';
import { useFirstPaint } from '../../ui/use-first-paint.ts';
import { ActNote } from '../inbox/index.ts';

export function StatusBar() {
  // The first formatted time of day takes a browser longer than a dozen rows: draw the list first.
  const isListShown = useFirstPaint();
  return (
    <footer className="status">
      <HealthButton />
      <IndicatorDetails />
      <ElectronDownload />
      <Backfill />
      <ActNote />
      <Problem />
      {isListShown && <ServiceClock />}
    </footer>
  );
}

const messages = texts.common.status;
const DETAILS = 'indicator-details';

/** What the window sees; the button opens all indicators. */
function HealthButton() {
  const { state, heading, detail } = useHealth();
  return (
    <button type="button" className="status-button" popoverTarget={DETAILS}>
      <IndicatorIcon state={state} />
      <span className="ell">
        <span className="spoken">{`${messages.indicators}: ${messages.indicatorState[state]}.`}</span>{' '}
        <b className="value">{heading}</b> <span className="t1">{detail}</span>
      </span>
    </button>
  );
}

interface Health {
  readonly state: HealthIndicator['state'];
  readonly heading: string;
  readonly detail: string;
}

/** The worst indicator in its own words, with the open gaps; of equals the first. */
function useHealth(): Health {
  const indicators = useSnapshot((snapshot) => snapshot.connection.indicators);
  const provable = useSnapshot((snapshot) => snapshot.connection.provable);
  const gaps = useOpenGaps();
  // A lost gap stays open for good: it is named, and no alarm of today.
  const isMissing = useSnapshot((snapshot) => snapshot.gaps.some(({ closed, lost }) => !closed && !lost));
  const down = useApp(({ link }) => link === 'down');
  if (down) return { state: 'down', heading: messages.seesNothing, detail: '' };
  const name =
    INDICATOR_NAMES.find((one) => indicators[one].state === 'down') ??
    INDICATOR_NAMES.find((one) => indicators[one].state === 'degraded');
  if (name !== undefined) {
    const { state, detail } = indicators[name];
    const missing = gaps === 0 ? '' : ` · ${messages.openGaps(gaps)}`;
    return { state, heading: `${messages.indicator[name]}:`, detail: `${textOf(detail)}${missing}` };
  }
  if (gaps > 0) return { state: isMissing ? 'degraded' : 'ok', heading: messages.openGaps(gaps), detail: '' };
  return { state: 'ok', heading: provable ? messages.seesAll : messages.unproved, detail: '' };
}

const useOpenGaps = (): number => useSnapshot((snapshot) => snapshot.gaps.filter((gap) => !gap.closed).length);

function IndicatorDetails() {
  const popover = useRef<HTMLElement>(null);
  const indicators = useSnapshot((snapshot) => snapshot.connection.indicators);
  const provable = useSnapshot((snapshot) => snapshot.connection.provable);
  const events = useSnapshot((snapshot) => snapshot.ledger.events);
  const gaps = useOpenGaps();
  const model = useSnapshot(({ selected, rows }) => (selected === null ? null : rows[selected]?.signal?.model_version));
  const down = useApp(({ link }) => link === 'down');
  const openConnection = (): void => {
    popover.current?.hidePopover();
    goTo({ page: 'settings', item: 'connection' });
  };
  return (
    <section
      id={DETAILS}
      ref={popover}
      popover="auto"
      className="dialog"
      role="dialog"
      aria-label={messages.indicators}
    >
      <DescriptionList narrow>
        {INDICATOR_NAMES.map((name) => (
          <DescriptionItem key={name} name={messages.indicator[name]}>
            {/* While Barograph is gone, its last detail is no longer current. */}
            <IndicatorLine state={down ? 'down' : indicators[name].state} isAnnounced={!down}>
              {down ? messages.indicatorState.down : textOf(indicators[name].detail)}
            </IndicatorLine>
          </DescriptionItem>
        ))}
        <DescriptionItem name={messages.ledger}>
          {`${count(events)} ${messages.events(events)}, ${messages.openGaps(gaps)}${provable ? '' : `. ${messages.unproved}`}`}
        </DescriptionItem>
        {model != null && <DescriptionItem name={messages.model}>{model}</DescriptionItem>}
      </DescriptionList>
      <button type="button" className="btn line" onClick={openConnection}>
        {messages.openConnection}
      </button>
    </section>
  );
}

/** Not announced to screen readers: it changes every second. Settings have it too. */
function ElectronDownload() {
  const download = useApp((state) => state.features.shell?.electron ?? null);
  if (download === null) return null;
  return (
    <div className="electron">
      <span className="ell" title={textOf(download)}>
        {textOf(download)}
      </span>
    </div>
  );
}

/** Not announced to screen readers either. */
function Backfill() {
  const backfill = useSnapshot((snapshot) => snapshot.connection.backfill);
  return backfill === undefined ? null : (
    <div className="electron ell">{textOf(message('work.progress', backfill))}</div>
  );
}

/** The error of the last intent. */
function Problem() {
  const problem = useApp((state) => state.problem);
  return (
    <output className="problem ell" title={problem ?? undefined}>
      {problem}
    </output>
  );
}

function ServiceClock() {
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const world = worldTime(clock, anchoredAt, now);
  return (
    <button type="button" className="status-button clock" onClick={preferences.nextZone} title={messages.changeZone}>
      <Icon name="clock" size={12} />
      <span className="spoken">{messages.clock}</span>
      <b className="value">{fullTime(world, zone, now)}</b> {zoneName(zone)}{' '}
      {zoneName(zone) !== 'UTC' && <span className="t3">{zoneOffset(world, zone)}</span>}
      {Math.abs(clock.speed - 1) > 0.05 && <span className="t1">{messages.clockSpeed(clock.speed)}</span>}
    </button>
  );
}
