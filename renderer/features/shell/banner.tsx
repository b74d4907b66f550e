// Renderer: the one banner. It pushes the page down, never covers it. What it says, worst first: the core is gone, blind, no rule tells anything,
// no notifications, a rule that does not work, an update that failed.
import type { ReactNode } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { UpdateFace } from '../../../shared/channels/shell.ts';
import { useNow, useServices } from '../../services.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlindSince, useWorldNow } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { alerts } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { clockTime, moment, span, zoneName } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { BlindMark } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { openRules } from '../alerts/index.ts';
import { SandboxIntro } from '../profiles/index.ts';

export function Banner({ onMarks }: { onMarks: () => void }) {
  const down = useApp((state) => state.link === 'down');
  const blind = useBoard((board) => board.connection.blind !== null);
  const stopped = useBoard((board) => board.connection.stopped);
  const notifier = useBoard((board) => board.notifier);
  const alerting = useApp((state) => state.wholes.alerting);
  const update = useApp((state) => state.wholes.shell?.update);
  if (down) return <CoreGone />;
  if (blind || stopped !== null) return <Blind stopped={stopped} />;
  if (alerting?.silent === true) return <Silent />;
  if (notifier.tier === 'in_app') return <NoNotifications detail={notifier.detail} />;
  const broken = alerting?.rules.filter(({ problem }) => problem !== null) ?? [];
  if (broken.length > 0) return <BrokenRules broken={broken} />;
  return update?.standing === 'failed' ? <UpdateFailed update={update} /> : <SandboxIntro onMarks={onMarks} />;
}

function Crimson({ heading, children, action }: { heading: string; children: ReactNode; action?: ReactNode }) {
  return (
    <section className="banner crimson" aria-label={heading}>
      <BlindMark />
      <div className="grow">
        <h2>{heading}</h2>
        <p className="ell">{children}</p>
      </div>
      {action}
    </section>
  );
}

function CoreGone() {
  const zone = usePreference((preference) => preference.zone);
  const since = useBlindSince();
  const ended = useApp((state) => state.ended);
  return (
    <Crimson heading={en.blind.gone(since === null ? '' : `${clockTime(since.world, zone)} ${zoneName(zone)}`)}>
      {ended ?? en.blind.goneWhy}
    </Crimson>
  );
}

function Blind({ stopped }: { stopped: string | null }) {
  const { intents } = useServices();
  const blind = useBoard((board) => board.connection.blind);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const worldNow = useWorldNow();
  const since = useBlindSince();
  const at = since === null ? '' : moment(since.world, zone, worldNow);
  return (
    <Crimson
      heading={since === null ? (stopped ?? '') : en.blind.banner(at, zoneName(zone), span(now - since.here))}
      action={
        <button type="button" className="btn on-crimson" onClick={intents.retry}>
          <Icon name="retry" />
          {en.blind.tryNow}
        </button>
      }
    >
      {blind?.cause ?? ''} {blind === null ? '' : en.blind.nothingNewer(at)} {stopped === null ? '' : en.blind.stopped}
    </Crimson>
  );
}

function NoNotifications({ detail }: { detail: string }) {
  return (
    <section className="banner standing" aria-label={en.notifier.inApp}>
      <Icon name="warn" size={15} />
      <p className="grow ell">
        <b>{en.notifier.inApp}</b> <span className="t2">{detail}</span>
      </p>
    </section>
  );
}

/** No rule can tell anything: High Risk would pass unnoticed, as if Barograph were blind. */
function Silent() {
  return (
    <Crimson
      heading={alerts.banner.silent}
      action={
        <button type="button" className="btn on-crimson" onClick={openRules}>
          {alerts.banner.rules}
        </button>
      }
    >
      {alerts.banner.silentHow}
    </Crimson>
  );
}

function BrokenRules({ broken }: { broken: Alerting['rules'] }) {
  const heading = alerts.banner.broken(broken.length);
  return (
    <section className="banner standing" aria-label={heading}>
      <Icon name="warn" size={15} />
      <p className="grow ell">
        <b>{heading}.</b>{' '}
        <span className="t2">{broken.map(({ rule, id, problem }) => `${rule?.name ?? id}: ${problem}`).join(' ')}</span>
      </p>
      <button type="button" className="btn line" onClick={openRules}>
        {alerts.banner.rules}
      </button>
    </section>
  );
}

/** What failed can be had by hand: the link opens in the user's browser. */
function UpdateFailed({ update }: { update: UpdateFace }) {
  const { banner, link } = settingsWords.app;
  return (
    <section className="banner standing" aria-label={banner}>
      <Icon name="warn" size={15} />
      <p className="grow ell">
        <b>{banner}</b> <span className="t2">{update.words}</span>
      </p>
      {update.link !== null && (
        <a className="btn line" href={update.link} target="_blank" rel="noreferrer">
          {link}
        </a>
      )}
      <button type="button" className="btn line" onClick={() => goTo({ page: 'settings', item: 'app' })}>
        {settingsWords.section.app}
      </button>
    </section>
  );
}
