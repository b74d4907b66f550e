// Main, core: the migrations of the archive's two files; a released one is never edited.
// A new version is a new numbered file.
import * as archive1 from './migrations/001-archive.ts';
import * as archive2 from './migrations/002-textless.ts';
import * as archive3 from './migrations/003-names.ts';
import * as archive4 from './migrations/004-symbol-notes.ts';
import * as flags1 from './migrations/flags-001.ts';
import * as flags2 from './migrations/flags-002.ts';

export const ARCHIVE_MIGRATIONS = [archive1, archive2, archive3, archive4];
export const FLAGS_MIGRATIONS = [flags1, flags2];
