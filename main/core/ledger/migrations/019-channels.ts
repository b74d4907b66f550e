// Main, core: version 19 of the ledger: escalation, and what a channel's receiver knows of a notification.

export const version = 19;

export const sql = `
-- Of a step of an escalation: minutes after the notification; 0: none.
ALTER TABLE notifications ADD COLUMN step_minutes INTEGER NOT NULL DEFAULT 0;
-- The receiver's name of the message, to change it later; null: it has none.
ALTER TABLE notifications ADD COLUMN receipt TEXT;
-- What the receiver knows of the end: acknowledged, over, given_up; null: nothing yet.
ALTER TABLE notifications ADD COLUMN settled TEXT;
CREATE INDEX notifications_sent ON notifications (intent_ms) WHERE channel <> 'desktop' AND outcome = 'sent';
`;
