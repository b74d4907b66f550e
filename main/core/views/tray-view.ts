// Main, core: the status of one profile as a sign and a line: for tray, dock, task bar. Pure.
import type { Connection, Row, Snapshot } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';

export interface TrayView {
  readonly profile: string;
  readonly environment: 'sandbox' | 'production';
  readonly replay: boolean;
  /** Start of the outage, this computer's clock, ms; null while connected. */
  readonly outageSince: number | null;
  /** Symbols by last known state, in the order of the watchlists. */
  readonly high: readonly string[];
  readonly elevated: readonly string[];
  readonly normal: number;
  /** Watched symbols without a signal. */
  readonly unknown: number;
  /** Ledger ids of the alerts that need attention, as the core decided. */
  readonly needsAttention: readonly number[];
}

export interface TrayViewSources {
  readonly profile: Snapshot['profile'];
  readonly connection: Pick<Connection, 'outage'>;
  /** Of watched symbols only, in the order of the watchlists. */
  readonly rows: readonly Row[];
  readonly needsAttention: readonly number[];
}

export function trayViewOf({ profile, connection, rows, needsAttention }: TrayViewSources): TrayView {
  const inState = (state: State): string[] =>
    rows.filter(({ signal }) => signal?.state === state).map(({ symbol }) => symbol);
  return {
    profile: profile.name,
    environment: profile.environment,
    replay: profile.replay,
    outageSince: connection.outage === null ? null : Date.parse(connection.outage.since),
    high: inState(2),
    elevated: inState(1),
    normal: inState(0).length,
    unknown: rows.filter(({ signal }) => signal === null).length,
    needsAttention,
  };
}

/** The sign of a profile. */
export type Sign = 'normal' | 'elevated' | 'high-risk' | 'offline';

/** Offline is graver than any state. So is a profile without data. */
export function signOf({ outageSince, high, elevated, normal }: TrayView): Sign {
  if (outageSince !== null) return 'offline';
  if (high.length > 0) return 'high-risk';
  if (elevated.length > 0) return 'elevated';
  return normal > 0 ? 'normal' : 'offline';
}

const RANK: readonly Sign[] = ['normal', 'elevated', 'high-risk', 'offline'];

/**
 * The profiles that one sign covers: production where there is any, so that a sandbox never hides or raises a
 * real state. The gravest first.
 */
export function spokenFor(views: readonly TrayView[]): TrayView[] {
  const real = views.filter(({ environment, replay }) => environment === 'production' && !replay);
  return [...(real.length > 0 ? real : views)].sort((a, b) => RANK.indexOf(signOf(b)) - RANK.indexOf(signOf(a)));
}

/** Number of alerts that need attention, over the profiles that the sign covers. */
export const waitingIn = (views: readonly TrayView[]): number =>
  spokenFor(views).reduce((sum, { needsAttention }) => sum + needsAttention.length, 0);

/** Most symbols that the text names. */
const NAMED = 3;

export interface TrayTextOptions {
  /** IANA time zone of the text; absent: this computer's. */
  readonly timeZone?: string;
}

/** "Barograph: 1 High Risk (SPY), 4 Elevated, 1 not acknowledged"; of one profile. */
export function trayText(view: TrayView, options: TrayTextOptions = {}): string {
  const badges = `${view.environment === 'sandbox' ? '[SANDBOX] ' : ''}${view.replay ? '[REPLAY] ' : ''}`;
  return `${badges}Barograph: ${stateText(view, options)}`;
}

/** The same without the product's name and notes. */
export function stateText(view: TrayView, { timeZone }: TrayTextOptions = {}): string {
  const { outageSince, high, elevated, normal, unknown, needsAttention } = view;
  if (outageSince !== null) {
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(outageSince);
    const was = high.length === 0 ? '' : `, ${named(high)} ${high.length === 1 ? 'was' : 'were'} High Risk`;
    return `no data since ${time}${was}`;
  }
  const seen = high.length + elevated.length + normal;
  if (seen === 0) return 'no signal yet';
  const open = needsAttention.length === 0 ? [] : [`${needsAttention.length} not acknowledged`];
  const dark = unknown === 0 ? [] : [`${unknown} without a signal`];
  if (high.length === 0 && elevated.length === 0) return [`all ${normal} Normal`, ...dark, ...open].join(', ');
  const risks = [
    ...(high.length === 0 ? [] : [`${high.length} High Risk${high.length <= NAMED ? ` (${named(high)})` : ''}`]),
    ...(elevated.length === 0 ? [] : [`${elevated.length} Elevated`]),
  ];
  return [...risks, ...dark, ...open].join(', ');
}

const named = (symbols: readonly string[]): string =>
  symbols.length <= NAMED
    ? symbols.join(', ')
    : `${symbols.slice(0, NAMED).join(', ')} and ${symbols.length - NAMED} more`;
