// Main, core: version 8 of the ledger cuts rows of an earlier version that exceed every bound.
// Their beginning stays.

export const version = 8;

/** 200 events of 4 MB ended the process whenever a window opened. octet_length reads no content. */
export const sql = `
UPDATE events SET body = substr(body, 1, 2048), note = substr(note, 1, 2000), title = substr(title, 1, 200),
  assumptions = CASE WHEN assumptions IS NULL THEN 'size' ELSE assumptions || ',size' END
WHERE octet_length(body) > 1048576 OR octet_length(note) > 1048576 OR octet_length(title) > 1048576;
`;
