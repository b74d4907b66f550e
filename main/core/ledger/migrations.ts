// Main, core: the migrations of ledger.sqlite; a released one is never edited.
// A new version is a new numbered file.
import type { Migration } from '../files/migrate.ts';
import * as first from './migrations/001-events.ts';
import * as second from './migrations/002-alerting.ts';
import * as third from './migrations/003-alias.ts';
import * as fourth from './migrations/004-newest-notification.ts';
import * as fifth from './migrations/005-names.ts';
import * as sixth from './migrations/006-parsed-columns.ts';
import * as seventh from './migrations/007-possible-dates.ts';
import * as eighth from './migrations/008-bounded-rows.ts';
import * as ninth from './migrations/009-removed-events.ts';
import * as tenth from './migrations/010-open-alerts.ts';
import * as eleventh from './migrations/011-confidence-of.ts';
import * as twelfth from './migrations/012-growing-notifications.ts';
import * as thirteenth from './migrations/013-price-states.ts';
import * as fourteenth from './migrations/014-silence-matchers.ts';
import * as fifteenth from './migrations/015-symbol-notes.ts';
import * as sixteenth from './migrations/016-crossings-by-rule.ts';
import * as seventeenth from './migrations/017-in-question.ts';
import * as eighteenth from './migrations/018-index-by-symbol.ts';
import * as nineteenth from './migrations/019-channels.ts';
import * as twentieth from './migrations/020-foreign-alerts.ts';
import * as twentyFirst from './migrations/021-desk.ts';
import * as twentySecond from './migrations/022-breadth.ts';

export const MIGRATIONS: readonly Migration[] = [
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
  twelfth,
  thirteenth,
  fourteenth,
  fifteenth,
  sixteenth,
  seventeenth,
  eighteenth,
  nineteenth,
  twentieth,
  twentyFirst,
  twentySecond,
];
export const LEDGER_VERSION = MIGRATIONS.length;
