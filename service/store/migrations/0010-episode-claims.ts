// Service, store: migration 10, the event that the confidence of an episode applies to.
export const episodeClaims = `
  -- As \`confidence_of\` on the wire; null where the log has the transition no longer.
  ALTER TABLE episodes ADD COLUMN claim TEXT;
  UPDATE episodes SET claim = (
    SELECT json_extract(events.body, '$.data.confidence_of') FROM json_each(episodes.transitions) AS own
      JOIN events ON events.event_id = own.value
      WHERE events.to_state = episodes.peak_state ORDER BY events.seq LIMIT 1
  );
`;
