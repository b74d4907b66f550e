// Pure: the English of messages about the self-test.

const SOURCES: Readonly<Record<string, string>> = {
  stream: 'stream',
  relay: 'webhook',
  backfill: 'back-fill',
  poll: 'polling',
};
const REFUSED_DELIVERIES = 'Check the refused deliveries in Settings, Webhooks.';

export const selfTestMessages = {
  'self_test.running': () => 'A self-test is already running.',
  'self_test.nothing_watched': () => 'No symbol is watched. Add one to a watchlist first.',
  'self_test.not_waiting': () => 'No self-test is waiting to be acknowledged.',

  // Progress.
  'self_test.sent': () => 'A test event is being sent.',
  'self_test.stream': () => 'Waiting for stream and webhook.',
  'self_test.webhook': () => 'Waiting for the webhook.',
  'self_test.written': () => 'Looking for it in the ledger.',
  'self_test.matched': () => 'Evaluating the rules.',
  'self_test.dispatched': () => 'Waiting for the desktop to accept the notification.',
  'self_test.shown': () => 'Waiting for the desktop to show the notification.',
  'self_test.acknowledged': () => 'The notification is shown. Acknowledge it.',
  'self_test.not_shown': () => 'The desktop shows no notification. Acknowledge it here.',

  // Result.
  'self_test.failed': ({ why }: { why: string }) => `You would not have been notified. ${why}`,
  'self_test.failed_webhook': ({ why }: { why: string }) => `You would not have been notified by webhook. ${why}`,
  'self_test.passed': () => 'You would have been notified.',
  'self_test.no_source': () => 'Neither stream nor webhook delivered it: it had to be fetched.',
  'self_test.no_stream': () => 'The stream did not deliver it.',
  'self_test.no_webhook': () => 'The webhook did not deliver it.',
  'self_test.no_desktop': () => 'The notification would not have been shown.',
  'self_test.no_person': () => 'Nobody acknowledged it.',
  'self_test.untested_stream': () => 'The stream was not tested: this service can repeat an event by webhook only.',
  'self_test.untested_connection': () => 'The connection between the service and this computer was not tested.',
  'self_test.untested_sources': () => 'Neither stream nor webhook was tested.',

  // Details of the steps.
  'self_test.not_reached': () => 'Not reached.',
  'self_test.restarted': () => 'Barograph was restarted meanwhile. Run the self-test again.',
  'self_test.acknowledged_here': () => 'In Barograph.',
  'self_test.acknowledged_there': () => 'By a click on the notification.',
  'self_test.not_acknowledged': ({ minutes }: { minutes: number }) => `Not within ${minutes} minutes.`,
  'self_test.late_stream': ({ seconds, sources }: { seconds: number; sources: readonly string[] }) =>
    `${lateText(seconds, sources)} Check the indicators Open and Bytes.`,
  'self_test.late_webhook': ({ seconds, sources }: { seconds: number; sources: readonly string[] }) =>
    `${lateText(seconds, sources)} ${REFUSED_DELIVERIES}`,
  'self_test.signed': () => 'Its signature is valid.',
  'self_test.nothing_arrived': () => 'No event arrived; this record of the self-test is in the ledger.',
  'self_test.entry': ({ ledgerId }: { ledgerId: number }) => `Entry ${ledgerId} of the ledger.`,
  'self_test.not_brought': () => 'Nothing brought the test event to this computer.',
  'self_test.app_only': ({ why }: { why: string }) => `${why} Only an open window can show it.`.trim(),
  'self_test.not_accepted': ({ seconds, why }: { seconds: number; why: string }) =>
    `The desktop did not accept the notification within ${seconds} s. ${why}`.trim(),

  // Ways in which the test event was sent.
  'self_test.unreadable': () => 'The service answered the request for a test event in a way that cannot be read.',
  'self_test.triggered': ({ symbol }: { symbol: string }) => `The service sent a test event about ${symbol}.`,
  'self_test.repeated': () => 'The service sent its newest event once more.',
  'self_test.not_offered': () => 'This service offers no test event for the stream.',
  'self_test.arrived': ({ status }: { status: number | null }) =>
    `It arrived with a valid signature and was answered with ${status}.`,
  'self_test.not_arrived': ({ error }: { error: string }) => `It did not arrive: ${error}. ${REFUSED_DELIVERIES}`,
  'self_test.looped': () => 'This service offers no test event. This computer sent one to its own relay.',
  'self_test.relay_accepted': ({ status }: { status: number | null }) =>
    `The relay here accepted its signature and answered with ${status}.`,
  'self_test.relay_refused': ({ error }: { error: string }) =>
    `The relay here did not accept it: ${error}. ${REFUSED_DELIVERIES}`,
  'self_test.nothing_sent': () =>
    'Nothing was sent: this service offers no test event, and no relay listens here. The remaining steps run on this computer.',
  'self_test.no_relay': () => 'No relay listens here.',
};

const lateText = (seconds: number, sources: readonly string[]): string => {
  const late = `Not within ${seconds} s.`;
  return sources.length === 0
    ? late
    : `${late} It came by ${sources.map((source) => SOURCES[source] ?? source).join(' and ')}.`;
};
