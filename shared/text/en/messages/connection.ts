// Pure: the English of messages about the connection, sources, gaps and health.

interface OtherEnvironment {
  readonly host: string;
  readonly environment: string;
  readonly profile: string;
  /** The profile's environment. */
  readonly expected: string;
}

export const connectionMessages = {
  'health.not_yet': () => 'not yet',
  'health.no_data': () => 'no data',
  'health.stream_open': () => 'stream open',
  'health.no_stream': () => 'no stream',
  'health.connecting': () => 'connecting',
  'health.attempt': ({ attempt }: { attempt: number }) => `attempt ${attempt}`,
  'health.closed': () => 'closed',
  'health.refused': () => 'refused',
  'health.behind': () => 'behind, polling too',
  'health.heartbeat_unknown': () => 'heartbeat interval unknown',
  'health.heartbeat': ({ seconds }: { seconds: number }) => `heartbeat ${seconds} s`,
  'health.round_trip': ({ ms }: { ms: number }) => `${ms} ms`,
  'health.no_answer': () => 'no answer',
  'health.timed_out': () => 'timed out',
  'health.answered': ({ status }: { status: number }) => `answered ${status}`,
  'health.problem': ({ kind }: { kind: string }) => kind.replace('_', ' '),
  'health.no_signals': () => 'nothing received',
  'health.current': ({ current, total }: { current: number; total: number }) => `${current} of ${total}`,
  'health.stale': ({ current, total, symbols }: { current: number; total: number; symbols: string }) =>
    `${current} of ${total}, ${symbols} stale`,
  'health.faulty': ({ current, total, symbols }: { current: number; total: number; symbols: string }) =>
    `${current} of ${total}, ${symbols} with faulty prices`,
  'health.faulty_count': ({ current, total, faulty }: { current: number; total: number; faulty: number }) =>
    `${current} of ${total}, ${faulty} with faulty prices`,

  // Reasons why no data arrives, and what the user can do.
  'connection.closed': () => 'The service closed the stream.',
  'connection.silent': ({ seconds }: { seconds: number }) => `The stream was open, but nothing came for ${seconds} s.`,
  'connection.stale': () => 'The connection is open, but no new data arrives: every watched signal is stale.',
  'connection.clock_stands': () =>
    'The service answers, but its clock stands still or is too slow: what it says is not new.',
  'connection.overdue': () =>
    'The service answers, but decides nothing: the next decision about every watched signal is overdue.',
  'connection.stale_symbols': ({ symbols, more }: { symbols: string; more: number }) =>
    more === 0 ? symbols : `${symbols} and ${more} more`,
  'connection.unjoined': () => 'The event log of the service does not connect to the records here. Retrying.',
  'service.starting': ({ progress }: { progress: string | null }) =>
    progress === null ? 'The service starts.' : `The service starts. ${progress}.`,
  'service.not_started': ({ why }: { why: string }) =>
    `The service inside the app does not start: ${why.replace(/\.?$/, '.')} Barograph tries again by itself.`,
  'connection.no_answer_yet': () => 'The service did not answer yet. Try again in a moment.',
  'connection.bad_key': ({ why }: { why: string }) =>
    `The service does not accept the key (401). ${why} Check the key of this profile.`,
  'connection.without_key': () =>
    'This profile has no key, and the service answers only with one (401). Nothing arrives until the key is saved.',
  'connection.no_stream': () =>
    'The service says that there is no stream here (204). Check the address of this profile.',
  'connection.forbidden': ({ why }: { why: string }) =>
    `The key may not read the stream (403). ${why} Check the plan of this key.`,
  'connection.unpaid': ({ why }: { why: string }) =>
    `The service wants a payment before it sends the stream (402). ${why} Check the plan of this key.`,
  'connection.bad_address': ({ why }: { why: string }) => `${why} Check the address of this profile.`,
  'connection.impostor': ({ why }: { why: string }) =>
    `What answers at this address is not the service that has your key. ${why} Nothing was sent to it. Start the service, then try again.`,
  'connection.unproven': ({ why }: { why: string }) => `${why} Nothing was sent. Barograph tries again by itself.`,
  'connection.unknown_peer': ({ why }: { why: string }) =>
    `${why} Nothing was sent. Allow this address if you know what runs there; you are asked once.`,
  'connection.other_environment': ({ host, environment, profile, expected }: OtherEnvironment) =>
    `The service at ${host} is ${environment}, and profile ${profile} is ${expected}. Its data is not used. Change the address or the profile.`,

  // Reasons why the stream was interrupted.
  'connection.slept': () => 'This computer slept.',
  'connection.locked': () => 'This computer was locked.',
  'connection.network_changed': () => 'The network changed.',
  'connection.clock_changed': () => 'This computer slept, or its clock was set.',
  'connection.held_up': () => 'Barograph did not run for a while: this computer was too busy, or slept.',
  'connection.retried': () => 'The user asked for a new connection.',
  'connection.reopened': () => 'The connection was reopened.',
  'connection.not_running': () => 'Barograph was not running.',
};
