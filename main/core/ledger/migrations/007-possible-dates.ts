// Main, core: version 7 of the ledger: an impossible year becomes the time of arrival.

export const version = 7;

/** Earlier versions read microseconds as milliseconds: such a row stayed the newest, and no window could show it. */
export const sql = `
UPDATE events SET occurred_s = received_ms / 1000, occurred_ms = received_ms, duplicate_index = ledger_id,
  assumptions = CASE WHEN assumptions IS NULL THEN 'time' ELSE assumptions || ',time' END
WHERE occurred_s NOT BETWEEN -62167219200 AND 253402300799;
`;
