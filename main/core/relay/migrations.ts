// Main, core: the migrations of relay.sqlite; a released one is never edited.
// A new version is a new numbered file.
import * as first from './migrations/001-relay.ts';
import * as second from './migrations/002-names.ts';
import * as third from './migrations/003-failed.ts';

export const RELAY_MIGRATIONS = [first, second, third];
