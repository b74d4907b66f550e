// Main, core: the history of the archive's two files. A migration is never edited once released; a new form is a new numbered file.
import * as archive1 from './migrations/001-archive.ts';
import * as archive2 from './migrations/002-textless.ts';
import * as marks1 from './migrations/flags-001.ts';

export const ARCHIVE_MIGRATIONS = [archive1, archive2];
export const FLAGS_MIGRATIONS = [marks1];
