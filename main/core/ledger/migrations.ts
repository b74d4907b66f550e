// Main, core: the migrations of ledger.sqlite; a released one is never edited.
// A new version is a new numbered file.
import type { Migration } from '../files/migrate.ts';
import * as first from './migrations/001-events.ts';
import * as second from './migrations/002-alerting.ts';
import * as third from './migrations/003-alias.ts';
import * as fourth from './migrations/004-newest-notification.ts';
import * as fifth from './migrations/005-names.ts';

export const MIGRATIONS: readonly Migration[] = [first, second, third, fourth, fifth];
export const LEDGER_VERSION = MIGRATIONS.length;
