// Renderer: the one banner; it pushes the page down and never covers it. Below it are the first steps, but in trouble.
// Worst first: the core is gone, a service that starts, an outage, no current price, no rule notifies of anything, a price that needs a
// decision, a state that is not known, a ledger that cannot be written, a file of the data folder, a refused stream,
// no notifications, a rule that does not work, a failed update, the price folder, notifications by the browser alone, what
// an update changed.
import type { ReactNode } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { UpdateView } from '../../../shared/channels/shell.ts';
import { daysOld, newestOldPrice } from '../../../shared/domain/price-age.ts';
import { clockTime, count, dayAndYear, shortTimestamp, span, zoneName } from '../../../shared/text/format.ts';
import { type Message, optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { AllowButton, useBrowserPermission } from '../../notifications/allow-button.tsx';
import { useNow, useServices } from '../../services.ts';
import { useOutageStart, useServiceStart, useWorldMinute, useWorldNow } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo, openAlertSection } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { OfflineIcon } from '../../ui/glyph.tsx';
import { Icon, IconButton, type IconName } from '../../ui/icon.tsx';
import { QuestionButton, useAskedSymbols } from '../price-questions/index.ts';
import {
  folderHeading,
  folderLines,
  openDialog,
  RestartButton,
  SandboxIntro,
  StateWordsButton,
  useOwnProfile,
  usePriceFolder,
  useStateWords,
} from '../profiles/index.ts';
import { Updated, useUpdated } from '../settings/index.ts';

export function Banner({ onKeySheet }: { onKeySheet: () => void }) {
  const { role, banner } = useBanner();
  const isOffline = useSnapshot((snapshot) => snapshot.connection.outage !== null);
  // Screen readers follow a region that was there before its content.
  return (
    <>
      <div className="banner-region" role="alert">
        {role === 'alert' && banner}
      </div>
      <div className="banner-region" role="status">
        {role === 'status' && banner}
      </div>
      {role === null && banner}
      {role !== 'alert' && !isOffline && <SandboxIntro onKeySheet={onKeySheet} />}
    </>
  );
}

interface ShownBanner {
  /** null: the banner itself is not announced to screen readers. */
  readonly role: 'alert' | 'status' | null;
  readonly banner: ReactNode;
}

function useBanner(): ShownBanner {
  const down = useApp((state) => state.link === 'down');
  const isOffline = useSnapshot((snapshot) => snapshot.connection.outage !== null);
  const start = useServiceStart();
  const newest = useSnapshot((snapshot) => newestOldPrice(Object.values(snapshot.rows)));
  const asked = useAskedSymbols();
  const words = useStateWords();
  const refused = useSnapshot((snapshot) => snapshot.connection.refused);
  const notifier = useSnapshot((snapshot) => snapshot.notifier);
  const alerting = useApp((state) => state.features.alerting);
  const unwritten = useSnapshot((snapshot) => snapshot.ledger.unwritten);
  const problem = useApp((state) => state.features.profiles?.problem);
  const update = useApp((state) => state.features.shell?.update);
  const permission = useBrowserPermission();
  const folder = usePriceFolder();
  const dismissed = usePreference((preference) => preference.dismissed);
  const updated = useUpdated();
  const alert = (banner: ReactNode): ShownBanner => ({ role: 'alert', banner });
  const status = (banner: ReactNode): ShownBanner => ({ role: 'status', banner });
  if (down) return alert(<CoreGone />);
  // The speaker announces these once; their banners change every second.
  if (start !== null)
    return { role: null, banner: <Notice heading={textOf(start)} text={texts.common.outage.meanwhile} icon="clock" /> };
  if (isOffline) return { role: null, banner: <OutageBanner refused={refused} /> };
  if (newest !== null) return alert(<OldPrices newest={newest} />);
  if (alerting?.silent === true) return alert(<Silent />);
  if (asked !== '') return alert(<AskedPrices symbols={asked.split(' ')} />);
  if (words.length > 0) return alert(<UnknownStates words={words} />);
  if (unwritten !== undefined)
    return status(<Notice heading={texts.common.unwritten} text={textOf(unwritten.cause)} isWhole />);
  if (problem != null) {
    const heading = problem.code === 'profile.not_opened' ? texts.common.notWatched : texts.common.fileProblem;
    return status(<Notice heading={heading} text={textOf(problem)} isWhole />);
  }
  if (refused !== null) return status(<StreamRefused refused={refused} />);
  const unnotified =
    notifier.tier === 'in_app' && status(<NoNotifications detail={textOf(notifier.detail)} permission={permission} />);
  if (unnotified && permission !== 'granted') return unnotified;
  const broken = alerting?.rules.filter(({ problem }) => problem !== null) ?? [];
  if (broken.length > 0) return status(<BrokenRules broken={broken} />);
  if (update?.status === 'failed') return status(<UpdateFailed update={update} />);
  if (folder !== null && !dismissed.includes(folderText(folder))) return status(<FolderBanner folder={folder} />);
  if (unnotified) return unnotified;
  return updated === null ? { role: null, banner: null } : status(<Updated version={updated} />);
}

interface CrimsonProps {
  readonly heading: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

function Crimson({ heading, children, action, icon = <OfflineIcon /> }: CrimsonProps) {
  return (
    <section className="banner crimson" aria-label={heading}>
      {icon}
      <div className="grow">
        <h2>{heading}</h2>
        <p className="ell">{children}</p>
      </div>
      {action}
    </section>
  );
}

/** Most symbols that it names with a button. */
const MAX_ASKED = 3;

function AskedPrices({ symbols }: { symbols: readonly string[] }) {
  const named = symbols.slice(0, MAX_ASKED);
  return (
    <Crimson
      heading={texts.priceQuestions.banner(symbols)}
      icon={<Icon name="warn" size={26} />}
      action={named.map((symbol) => (
        <QuestionButton key={symbol} symbol={symbol} className="on-crimson" isNamed={symbols.length > 1} />
      ))}
    >
      {texts.priceQuestions.bannerWhy}
    </Crimson>
  );
}

function UnknownStates({ words }: { words: readonly string[] }) {
  const { banner, bannerWhy } = texts.profiles.stateWords;
  return (
    <Crimson heading={banner(words)} icon={<Icon name="warn" size={26} />} action={<StateWordsButton />}>
      {bannerWhy}
    </Crimson>
  );
}

function CoreGone() {
  const zone = usePreference((preference) => preference.zone);
  const since = useOutageStart();
  const ended = useApp((state) => state.ended);
  return (
    <Crimson
      heading={texts.common.outage.gone(since === null ? '' : `${clockTime(since.world, zone)} ${zoneName(zone)}`)}
    >
      {ended === null ? texts.common.outage.goneWhy : textOf(ended)}
    </Crimson>
  );
}

function OutageBanner({ refused }: { refused: Message | null }) {
  const { intents } = useServices();
  const outage = useSnapshot((snapshot) => snapshot.connection.outage);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const worldNow = useWorldNow();
  const since = useOutageStart();
  const at = since === null ? '' : shortTimestamp(since.world, zone, worldNow);
  const problem = refused ?? outage?.cause ?? null;
  return (
    <Crimson
      heading={
        since === null ? optionalText(refused) : texts.common.outage.banner(at, zoneName(zone), span(now - since.here))
      }
      action={
        <>
          {problem !== null && <Cure of={problem} />}
          <button type="button" className="btn on-crimson" onClick={intents.retry}>
            <Icon name="retry" />
            {texts.common.outage.tryNow}
          </button>
        </>
      }
    >
      {cureTextOf(problem)} {optionalText(outage?.cause ?? null)}{' '}
      {outage === null ? '' : texts.common.outage.nothingNewer(at)}{' '}
      {refused === null ? '' : texts.common.outage.refused}
    </Crimson>
  );
}

const { cures } = texts.common.outage;
type CureCode = keyof typeof cures;
const OF_PROFILES: ReadonlySet<CureCode> = new Set(['connection.bad_address', 'service.not_started']);
const cureOf = (problem: Message | null): CureCode | null =>
  problem !== null && problem.code in cures ? (problem.code as CureCode) : null;

/** The cure precedes the cause, because a narrow banner shows only the beginning. */
function cureTextOf(problem: Message | null): string {
  const code = cureOf(problem);
  return code === null ? '' : cures[code].text;
}

/** The button that leads to the cure, if there is one. */
function Cure({ of }: { of: Message }) {
  const { intents } = useServices();
  const code = cureOf(of);
  if (code === null) return null;
  const act = (): void => {
    if (code === 'connection.unknown_peer') intents.send('connection.trust', {});
    else goTo({ page: 'settings', item: OF_PROFILES.has(code) ? 'profiles' : 'keys' });
  };
  return (
    <button type="button" className="btn on-crimson" onClick={act}>
      {cures[code].act}
    </button>
  );
}

/** REST works and the stream is refused: events arrive, but later. */
function StreamRefused({ refused }: { refused: Message }) {
  const { intents } = useServices();
  return (
    <Notice heading={texts.common.outage.polling} text={textOf(refused)}>
      <button type="button" className="btn line" onClick={intents.retry}>
        <Icon name="retry" />
        {texts.common.outage.tryNow}
      </button>
    </Notice>
  );
}

interface NoticeProps {
  readonly heading: string;
  readonly text: ReactNode;
  /** Shown on as many lines as it needs. */
  readonly isWhole?: boolean;
  readonly icon?: IconName;
  /** Drawn after the text. */
  readonly children?: ReactNode;
}

const Notice = ({ heading, text, isWhole = false, icon = 'warn', children }: NoticeProps) => (
  <section className="banner persistent" aria-label={heading}>
    <Icon name={icon} size={15} />
    <p className={isWhole ? 'grow' : 'grow ell'}>
      <b>{heading}</b> <span className="t2">{text}</span>
    </p>
    {children}
  </section>
);

/** A browser may show them instead, once the user has allowed it. */
function NoNotifications({ detail, permission }: { detail: string; permission: NotificationPermission | null }) {
  const { inApp, inBrowser, keepOpen, blocked } = texts.common.notifier;
  const isAllowed = permission === 'granted';
  return (
    <Notice
      heading={isAllowed ? inBrowser : inApp}
      text={isAllowed ? keepOpen : permission === 'denied' ? blocked : detail}
    >
      {permission === 'default' && <AllowButton className="btn line" />}
    </Notice>
  );
}

/** The service answers, but every price is old: as in an outage, there can be no warning. */
function OldPrices({ newest }: { newest: string }) {
  const days = daysOld(newest, useWorldMinute());
  const source = useOwnProfile()?.source;
  const prices = source?.kind === 'prices' ? { folder: source.folder, editorial: source.editorial } : null;
  const { oldPrices } = texts.common;
  return (
    <Crimson
      heading={oldPrices.heading(dayAndYear(sessionMs(Date.parse(newest))), count(days), days)}
      action={
        prices !== null && (
          <button
            type="button"
            className="btn on-crimson"
            onClick={() => openDialog({ kind: 'prices', replayOf: prices })}
          >
            {oldPrices.replay}
          </button>
        )
      }
    >
      {prices === null ? oldPrices.service : oldPrices.folder(prices.folder)}
    </Crimson>
  );
}

/** No rule can notify: High Risk would pass unnoticed, as in an outage. */
function Silent() {
  return (
    <Crimson
      heading={texts.alerts.banner.silent}
      action={
        <button type="button" className="btn on-crimson" onClick={() => openAlertSection('rules')}>
          {texts.alerts.banner.rules}
        </button>
      }
    >
      {texts.alerts.banner.silentHow}
    </Crimson>
  );
}

function BrokenRules({ broken }: { broken: Alerting['rules'] }) {
  return (
    <Notice
      heading={texts.alerts.banner.broken(broken.length)}
      text={broken.map(({ rule, id, problem }) => `${rule?.name ?? id}: ${optionalText(problem)}`).join(' ')}
    >
      <button type="button" className="btn line" onClick={() => openAlertSection('rules')}>
        {texts.alerts.banner.rules}
      </button>
    </Notice>
  );
}

type PriceFolder = NonNullable<ReturnType<typeof usePriceFolder>>;
/** Lines of the price folder that it shows. */
const MAX_LINES = 3;
const firstLines = (folder: PriceFolder): string => folderLines(folder).slice(0, MAX_LINES).join(' ');
/** The text that the user hides; another one is shown again. */
const folderText = (folder: PriceFolder): string => folderHeading(folder) + firstLines(folder);

function FolderBanner({ folder }: { folder: PriceFolder }) {
  return (
    <Notice heading={folderHeading(folder)} text={firstLines(folder)} isWhole>
      {folder.added.length > 0 && <RestartButton />}
      <button type="button" className="btn line" onClick={() => goTo({ page: 'settings', item: 'connection' })}>
        {texts.profiles.priceFolder.showAll}
      </button>
      <IconButton
        icon="close"
        label={texts.common.update.hide}
        hasTitle
        onClick={() => preferences.dismiss([folderText(folder)])}
      />
    </Notice>
  );
}

/** A failed update can be installed by hand: the link opens in the user's browser. */
function UpdateFailed({ update }: { update: UpdateView }) {
  const messages = texts.common.update;
  return (
    <Notice heading={messages.failed} text={optionalText(update.message)}>
      {update.link !== null && (
        <a className="btn line" href={update.link} target="_blank" rel="noreferrer">
          {messages.byHand}
        </a>
      )}
      <button type="button" className="btn line" onClick={() => goTo({ page: 'settings', item: 'app' })}>
        {messages.settings}
      </button>
    </Notice>
  );
}
