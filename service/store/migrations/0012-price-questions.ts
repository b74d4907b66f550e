// Service, store: migration 12, the price in question on which a state rests.
export const priceQuestions = `
  -- Its session date; null: the state rests on none.
  ALTER TABLE current_states ADD COLUMN rests_on TEXT;
`;
