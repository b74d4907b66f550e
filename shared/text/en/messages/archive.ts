// Pure: the English of messages about the archive, briefings and news.

export const archiveMessages = {
  'archive.none': () => 'This program keeps no archive.',
  'archive.unusable': ({ why }: { why: string }) => `The archive cannot be used (${why}). Alerts do not need it.`,
  'archive.unusable_disk': ({ why }: { why: string }) =>
    `The archive cannot be used (${why}). Alerts do not need it. Free disk space, or check the permissions.`,
  'archive.damaged': ({ file }: { file: string }) =>
    `The archive was damaged and is set aside as ${file}. It is filled again from the service; your flags are taken from it and from the last backup.`,
  'archive.check_sound': () => 'sound',
  'archive.check_damaged': ({ why }: { why: string }) =>
    `damaged (${why}); set aside, and filled again from the service`,
  'archive.maintenance_failed': ({ why }: { why: string }) => `The daily maintenance of the archive failed (${why}).`,
  'archive.reader_ended': ({ why }: { why: string }) => `The thread that reads the archive ended (${why}). Try again.`,
  'archive.unknown_cursor': () => 'after: this list gives no such cursor. Ask its first page again.',

  'archive.list_circular': () => 'The service gave the same cursor twice: its list repeats.',
  'archive.list_endless': ({ pages }: { pages: number }) => `The list did not end within ${pages} pages.`,
  'archive.no_briefings': () => 'This service keeps no archive of briefings.',
  'archive.no_news': () => 'This service has no news.',
  'archive.text_invalid': ({ id }: { id: string }) => `The service sent no valid text of ${id}.`,
  'archive.texts_failed': ({ why }: { why: string }) => `Texts of briefings cannot be fetched. ${why}`,
  'archive.texts_unreadable': ({ count }: { count: number }) =>
    `The service gives no readable text of ${count} briefing${count === 1 ? '' : 's'}.`,

  'archive.briefing_unknown': () => 'There is no such briefing in the archive.',
  'archive.text_not_here': () => 'The text of this briefing is not on this computer yet.',
  'archive.text_not_here_offline': () =>
    'The text of this briefing is not on this computer yet. Barograph is not connected.',
  'archive.text_not_fetched': ({ why }: { why: string }) =>
    `The text of this briefing is not on this computer, and cannot be fetched. ${why}`,
  'archive.text_gone': () => 'The service lists this briefing, but has no text of it any more.',
};
