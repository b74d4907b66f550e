// Main, core: the profile outside its own page: title bar, list of profiles, tray and dock.
import type { Connection, Row, Snapshot } from '../../../shared/channels/state.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { Message } from '../../../shared/text/message.ts';
import { type ConnectionStore, connectionView } from '../connection/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../rows.ts';
import type { WorldClock } from '../time/world-clock.ts';
import { type ProfileStatus, profileStatusOf } from './profile-status.ts';
import { type TrayView, trayViewOf } from './tray-view.ts';

export interface ProfileViews {
  profile(): Snapshot['profile'];
  status(): ProfileStatus;
  tray(): TrayView;
}

export interface ProfileViewSources {
  readonly profile: Pick<Profile, 'name' | 'environment'>;
  /** The source of the data, for display. */
  readonly label: () => Message;
  readonly connection: ConnectionStore;
  readonly ledger: Pick<Ledger, 'unwritten'>;
  readonly rows: Pick<RowTable, 'all' | 'get'>;
  readonly watch: Pick<Watch, 'isWatched' | 'lists'>;
  /** Ledger ids of the alerts that need attention. */
  readonly attention: { read(): ReadonlySet<number> };
  readonly world: Pick<WorldClock, 'view'>;
}

export function createProfileViews({
  profile: { name, environment },
  label,
  connection,
  ledger,
  rows,
  watch,
  attention,
  world,
}: ProfileViewSources): ProfileViews {
  /** Rows of the watchlists; the selected symbol, which also has a row, may not be in one. */
  const watchedRows = (): Row[] => rows.all().filter(({ symbol }) => watch.isWatched(symbol));
  const connectionNow = (): Connection => connectionView(connection.current(), world.view());
  const profile: ProfileViews['profile'] = () => ({
    name,
    environment,
    replay: connection.current().isReplay,
    label: label(),
  });
  return {
    profile,
    status: () => profileStatusOf(connectionNow(), connection.current().isReplay, watchedRows()),
    tray() {
      const watched = watchedRows();
      return trayViewOf({
        profile: profile(),
        connection: connectionNow(),
        isUnwritten: ledger.unwritten() !== null,
        rows: watched,
        order: riskOrder(watch.lists(), rows.get),
        needsAttention: [...attention.read()],
      });
    },
  };
}
