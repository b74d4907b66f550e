// Service, store: migration 8, events of transitions have `state` beside `to_state`.
export const pushedState = `
  UPDATE events SET body = json_set(body, '$.data.state', to_state)
    WHERE to_state IS NOT NULL AND json_type(body, '$.data.state') IS NULL;
`;
