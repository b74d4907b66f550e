// Main, core: version 5 of the ledger renames tables, columns and stored values as in the code.

export const version = 5;

export const sql = `
ALTER TABLE tellings RENAME TO notifications;
ALTER TABLE notifications RENAME COLUMN outlet TO channel;
ALTER TABLE notifications RENAME COLUMN bin TO batch;
DROP INDEX tellings_event;
DROP INDEX tellings_open;
DROP INDEX tellings_waiting;
DROP INDEX tellings_digest;
DROP INDEX tellings_newest;
UPDATE notifications SET
  kind = CASE kind WHEN 'drill' THEN 'self_test' WHEN 'blind' THEN 'outage' ELSE kind END,
  outcome = CASE outcome WHEN 'gathered' THEN 'batched' WHEN 'held' THEN 'pending' ELSE outcome END,
  batch = CASE batch WHEN 'away' THEN 'downtime' ELSE batch END
  WHERE kind IN ('drill', 'blind') OR outcome IN ('gathered', 'held') OR batch = 'away';
-- By kind as well: the id of an alert is made from the id of its event, which the service chooses.
UPDATE notifications SET id = 'barograph:outage:' || substr(id, length('barograph:blind:') + 1)
  WHERE kind = 'outage' AND substr(id, 1, length('barograph:blind:')) = 'barograph:blind:';
UPDATE notifications SET id = 'barograph:self-test:' || substr(id, length('barograph:drill:') + 1)
  WHERE kind = 'self_test' AND substr(id, 1, length('barograph:drill:')) = 'barograph:drill:';
CREATE INDEX notifications_event ON notifications (ledger_id);
CREATE INDEX notifications_open ON notifications (ledger_id) WHERE outcome IN ('intent', 'failed');
CREATE INDEX notifications_waiting ON notifications (batch) WHERE outcome IN ('batched', 'pending', 'muted');
CREATE INDEX notifications_digest ON notifications (digest_id) WHERE digest_id IS NOT NULL;
CREATE INDEX notifications_newest ON notifications (intent_ms)
  WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app');

ALTER TABLE events RENAME COLUMN inlets TO sources;
ALTER TABLE events RENAME COLUMN marks TO assumptions;
ALTER TABLE events RENAME COLUMN twin TO duplicate_index;
UPDATE events SET decision = 'before_baseline:' || substr(decision, length('before_first_sight:') + 1)
  WHERE substr(decision, 1, length('before_first_sight:')) = 'before_first_sight:';
UPDATE events SET event = 'barograph.self_test' WHERE event = 'barograph.drill';
UPDATE trace SET step = CASE step WHEN 'judged' THEN 'evaluated' ELSE 'dispatched' END WHERE step IN ('judged', 'handed');

ALTER TABLE ahead RENAME TO pending_events;
ALTER TABLE marks RENAME TO annotations;
UPDATE gaps SET kind = 'downtime' WHERE kind = 'away';

ALTER TABLE facts RENAME TO metadata;
UPDATE metadata SET name = CASE name
    WHEN 'first_sight' THEN 'baseline'
    WHEN 'sight_until' THEN 'connected_until'
    WHEN 'away_from' THEN 'downtime_from'
    WHEN 'away_until' THEN 'downtime_until'
    WHEN 'away_cause' THEN 'downtime_cause'
    WHEN 'blind' THEN 'outage'
    WHEN 'drill' THEN 'self_test'
    ELSE name
  END;
-- JSON without white space. A quotation mark inside a JSON string is escaped, so these patterns match keys only.
UPDATE metadata SET value = replace(value, '"told":', '"notifiedCount":') WHERE name = 'outage';
UPDATE metadata SET value =
    replace(replace(replace(value, '"words":', '"message":'), '"way":', '"method":'), '"step":"handed"', '"step":"dispatched"')
  WHERE name = 'self_test';
`;
