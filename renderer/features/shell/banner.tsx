// Renderer: the one banner; it pushes the page down and never covers it.
// Worst first: the core is gone, an outage, no rule notifies of anything, no notifications, a rule that does
// not work, a failed update.
import type { ReactNode } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { UpdateView } from '../../../shared/channels/shell.ts';
import { useNow, useServices } from '../../services.ts';
import { openRules } from '../../store/alert-routes.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { alerts } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { clockTime, shortTimestamp, span, zoneName } from '../../text/format.ts';
import { settingsText } from '../../text/settings.ts';
import { OfflineIcon } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SandboxIntro } from '../profiles/index.ts';

export function Banner({ onKeySheet }: { onKeySheet: () => void }) {
  const down = useApp((state) => state.link === 'down');
  const isOffline = useSnapshot((snapshot) => snapshot.connection.outage !== null);
  const stopped = useSnapshot((snapshot) => snapshot.connection.stopped);
  const notifier = useSnapshot((snapshot) => snapshot.notifier);
  const alerting = useApp((state) => state.features.alerting);
  const update = useApp((state) => state.features.shell?.update);
  if (down) return <CoreGone />;
  if (isOffline || stopped !== null) return <OutageBanner stopped={stopped} />;
  if (alerting?.silent === true) return <Silent />;
  if (notifier.tier === 'in_app') return <NoNotifications detail={notifier.detail} />;
  const broken = alerting?.rules.filter(({ problem }) => problem !== null) ?? [];
  if (broken.length > 0) return <BrokenRules broken={broken} />;
  return update?.status === 'failed' ? <UpdateFailed update={update} /> : <SandboxIntro onKeySheet={onKeySheet} />;
}

function Crimson({ heading, children, action }: { heading: string; children: ReactNode; action?: ReactNode }) {
  return (
    <section className="banner crimson" aria-label={heading}>
      <OfflineIcon />
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
  const since = useOutageStart();
  const ended = useApp((state) => state.ended);
  return (
    <Crimson heading={en.outage.gone(since === null ? '' : `${clockTime(since.world, zone)} ${zoneName(zone)}`)}>
      {ended ?? en.outage.goneWhy}
    </Crimson>
  );
}

function OutageBanner({ stopped }: { stopped: string | null }) {
  const { intents } = useServices();
  const outage = useSnapshot((snapshot) => snapshot.connection.outage);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const worldNow = useWorldNow();
  const since = useOutageStart();
  const at = since === null ? '' : shortTimestamp(since.world, zone, worldNow);
  return (
    <Crimson
      heading={since === null ? (stopped ?? '') : en.outage.banner(at, zoneName(zone), span(now - since.here))}
      action={
        <button type="button" className="btn on-crimson" onClick={intents.retry}>
          <Icon name="retry" />
          {en.outage.tryNow}
        </button>
      }
    >
      {outage?.cause ?? ''} {outage === null ? '' : en.outage.nothingNewer(at)}{' '}
      {stopped === null ? '' : en.outage.stopped}
    </Crimson>
  );
}

function NoNotifications({ detail }: { detail: string }) {
  return (
    <section className="banner persistent" aria-label={en.notifier.inApp}>
      <Icon name="warn" size={15} />
      <p className="grow ell">
        <b>{en.notifier.inApp}</b> <span className="t2">{detail}</span>
      </p>
    </section>
  );
}

/** No rule can notify: High Risk would pass unnoticed, as in an outage. */
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
    <section className="banner persistent" aria-label={heading}>
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

/** A failed update can be installed by hand: the link opens in the user's browser. */
function UpdateFailed({ update }: { update: UpdateView }) {
  const { banner, link } = settingsText.app;
  return (
    <section className="banner persistent" aria-label={banner}>
      <Icon name="warn" size={15} />
      <p className="grow ell">
        <b>{banner}</b> <span className="t2">{update.message}</span>
      </p>
      {update.link !== null && (
        <a className="btn line" href={update.link} target="_blank" rel="noreferrer">
          {link}
        </a>
      )}
      <button type="button" className="btn line" onClick={() => goTo({ page: 'settings', item: 'app' })}>
        {settingsText.section.app}
      </button>
    </section>
  );
}
