// Main, core: the status of one profile as a sign and counts: for tray, dock, task bar. Pure.
import type { Connection, Row, Snapshot } from '../../../shared/channels/state.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import type { State } from '../../../shared/domain/states.ts';

export interface TrayView {
  readonly profile: string;
  readonly environment: 'sandbox' | 'production';
  readonly replay: boolean;
  /** Start of the outage, this computer's clock, ms; null while connected. */
  readonly outageSince: number | null;
  /** Symbols by last known state, worst first. */
  readonly high: readonly string[];
  readonly elevated: readonly string[];
  readonly normal: number;
  /** Watched symbols without a signal. */
  readonly unknown: number;
  /** Ledger ids of the alerts that need attention, as the core decided. */
  readonly needsAttention: readonly number[];
  /** True while the ledger's file cannot be written. */
  readonly isUnwritten: boolean;
}

export interface TrayViewSources {
  readonly profile: Snapshot['profile'];
  readonly connection: Pick<Connection, 'outage'>;
  /** Rows of watched symbols only. */
  readonly rows: readonly Row[];
  readonly order: Pick<RiskOrder, 'compareSymbols'>;
  readonly needsAttention: readonly number[];
  readonly isUnwritten: boolean;
}

export function trayViewOf({
  profile,
  connection,
  rows,
  order,
  needsAttention,
  isUnwritten,
}: TrayViewSources): TrayView {
  const inState = (state: State): string[] =>
    rows
      .filter(({ signal }) => signal?.state === state)
      .map(({ symbol }) => symbol)
      .sort(order.compareSymbols);
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
    isUnwritten,
  };
}

/** The sign of a profile. */
export type Sign = 'normal' | 'elevated' | 'high-risk' | 'offline';

/** A profile offline or without data is graver than any state. */
export function signOf({ outageSince, high, elevated, normal }: TrayView): Sign {
  if (outageSince !== null) return 'offline';
  if (high.length > 0) return 'high-risk';
  if (elevated.length > 0) return 'elevated';
  return normal > 0 ? 'normal' : 'offline';
}

const RANK: readonly Sign[] = ['normal', 'elevated', 'high-risk', 'offline'];

/**
 * The profiles that one sign covers, the gravest first: production where there is any, so that a sandbox
 * never hides or raises a real state.
 */
export function spokenFor(views: readonly TrayView[]): TrayView[] {
  const real = views.filter(({ environment, replay }) => environment === 'production' && !replay);
  return [...(real.length > 0 ? real : views)].sort((a, b) => RANK.indexOf(signOf(b)) - RANK.indexOf(signOf(a)));
}

/** Number of alerts that need attention, over the profiles that the sign covers. */
export const waitingIn = (views: readonly TrayView[]): number =>
  spokenFor(views).reduce((sum, { needsAttention }) => sum + needsAttention.length, 0);
