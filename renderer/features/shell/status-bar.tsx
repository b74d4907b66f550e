// Renderer: the status bar: health indicators, the size of the ledger, and the service's clock.
import { INDICATOR_NAMES, type IndicatorName } from '../../../shared/channels/state.ts';
import { count, fullTime, zoneName, zoneOffset } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { worldTime } from '../../store/select.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useFirstPaint } from '../../ui/use-first-paint.ts';
import { ActNote } from '../inbox/index.ts';

export function StatusBar() {
  // The first formatted time of day takes a browser longer than a dozen rows: draw the list first.
  const isListShown = useFirstPaint();
  return (
    <footer className="status">
      <ul className="indicators" aria-label={texts.common.status.indicators}>
        {INDICATOR_NAMES.map((name) => (
          <IndicatorItem key={name} name={name} />
        ))}
      </ul>
      <Ledger />
      <ElectronDownload />
      <ActNote />
      <Problem />
      <ModelVersion />
      {isListShown && <ServiceClock />}
    </footer>
  );
}

function IndicatorItem({ name }: { name: IndicatorName }) {
  const indicator = useSnapshot((snapshot) => snapshot.connection.indicators[name]);
  const down = useApp(({ link }) => link === 'down');
  const state = down ? 'down' : indicator.state;
  const stateText = texts.common.status.indicatorState[state];
  // Its last detail is no longer current.
  const detail = down ? stateText : textOf(indicator.detail);
  return (
    <li className="indicator" title={`${texts.common.status.indicator[name]}: ${detail}`}>
      <IndicatorIcon state={state} />
      <b className="value">{texts.common.status.indicator[name]}</b>
      <span className="spoken">{stateText}</span>
      <span className="detail t3" aria-hidden={down}>
        {detail}
      </span>
    </li>
  );
}

function Ledger() {
  const events = useSnapshot((snapshot) => snapshot.ledger.events);
  const open = useSnapshot((snapshot) => snapshot.gaps.filter((gap) => !gap.closed).length);
  const provable = useSnapshot((snapshot) => snapshot.connection.provable);
  return (
    <div className="ledger">
      <span>
        {texts.common.status.ledger} <b className="value">{count(events)}</b> {texts.common.status.events(events)}
      </span>
      <span className={open === 0 ? 't3' : 'md t1'}>· {texts.common.status.openGaps(open)}</span>
      {!provable && <span className="t3">· {texts.common.status.unproved}</span>}
    </div>
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

/** The error of the last intent. */
function Problem() {
  const problem = useApp((state) => state.problem);
  return (
    <output className="problem ell" title={problem ?? undefined}>
      {problem}
    </output>
  );
}

function ModelVersion() {
  const version = useSnapshot((snapshot) =>
    snapshot.selected === null ? undefined : snapshot.rows[snapshot.selected]?.signal?.model_version,
  );
  if (version === undefined) return null;
  return (
    <div className="model">
      {texts.common.status.model} <b className="value">{version}</b>
    </div>
  );
}

function ServiceClock() {
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const world = worldTime(clock, anchoredAt, now);
  return (
    <button type="button" className="clock" onClick={preferences.nextZone} title={texts.common.status.changeZone}>
      <Icon name="clock" size={12} />
      <span className="spoken">{texts.common.status.clock}</span>
      <b className="value">{fullTime(world, zone, now)}</b> {zoneName(zone)}{' '}
      {zoneName(zone) !== 'UTC' && <span className="t3">{zoneOffset(world, zone)}</span>}
      {Math.abs(clock.speed - 1) > 0.05 && <span className="t1">{texts.common.status.clockSpeed(clock.speed)}</span>}
    </button>
  );
}
