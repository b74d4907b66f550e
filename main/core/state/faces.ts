// Main, core: the profile as it shows itself outside its own page: its name plate, its line in the list of profiles, its sign in tray and dock.
import type { Row, Snapshot } from '../../../shared/channels/state.ts';
import { waitingForYou } from '../alerts/waiting-for-you.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Watch } from '../profiles/watch.ts';
import type { Sight } from '../stream/sight.ts';
import { type Glance, glanceOf } from './glance.ts';
import type { RowTable } from './rows.ts';
import { type TrayFace, trayFaceOf } from './tray-face.ts';

export interface Faces {
  profile(): Snapshot['profile'];
  glance(): Glance;
  tray(): TrayFace;
}

export interface FaceSources {
  readonly profile: Pick<Profile, 'name' | 'environment'>;
  /** Where it listens to, for people. */
  readonly label: () => string;
  /** Asked late: the state, which shows the profile, is made before the sight. */
  readonly sight: () => Pick<Sight, 'face' | 'isReplay'>;
  readonly rows: Pick<RowTable, 'all'>;
  readonly watch: Pick<Watch, 'isWatched'>;
  readonly ledger: Pick<Ledger, 'entries' | 'tellings' | 'marks' | 'transaction'>;
}

export function createFaces({ profile: { name, environment }, label, sight, rows, watch, ledger }: FaceSources): Faces {
  /** Those of the lists: the selected symbol, which has a row too, may be another one. */
  const watchedRows = (): Row[] => rows.all().filter(({ symbol }) => watch.isWatched(symbol));
  const profile: Faces['profile'] = () => ({ name, environment, replay: sight().isReplay(), label: label() });
  return {
    profile,
    glance: () => glanceOf(sight().face(), sight().isReplay(), watchedRows()),
    tray() {
      const watched = watchedRows();
      return trayFaceOf({
        profile: profile(),
        connection: sight().face(),
        rows: watched,
        unacknowledged: waitingForYou(watched, ledger),
      });
    },
  };
}
