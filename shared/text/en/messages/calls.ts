// Pure: the English of messages about window calls and about answers of the service.

export const callMessages = {
  'call.unknown': ({ name }: { name: string }) => `There is no call named "${name}".`,
  'call.bad_input': ({ name, why }: { name: string; why: string }) => `${name}: ${why}`,
  'call.bad_output': ({ name, why }: { name: string; why: string }) => `The answer to ${name} is invalid: ${why}`,
  'call.unreadable': ({ name }: { name: string }) => `The answer to ${name} is not readable.`,
  'call.no_report': () => 'This program writes no report. Run: npm run barograph -- report',
  disconnected: () => 'Barograph is not connected.',
  'call.no_answer': ({ seconds }: { seconds: number }) =>
    `Barograph did not answer within ${seconds} seconds. It may still do what you asked for.`,
  'link.gone': () => 'Barograph is not running behind this window. Retrying automatically.',
  'link.gone_for_good': () => 'Barograph is not running behind this window. Start it again.',
  'link.profile_over': () =>
    'This profile was turned off or removed in another window. It receives no data any more; you can close this window.',
  'link.replaced': () =>
    'Barograph has ended, and another program answers at the address of this window. Nothing was sent to it. Close this window and start Barograph again.',
  'link.session_ended': () => 'The session of this window has ended. Open a new one: npm run barograph -- open',
  /** `text`: English of the client; another language names the kind. */
  'service.problem': ({ text }: { kind: string; text: string }) => text,
  'service.not_covered': ({ symbol }: { symbol: string }) => `${symbol} is not covered by this service.`,
  'service.not_found': ({ what }: { what: string }) => `${what} cannot be shown. This service has no such data.`,
  'service.cannot_show': ({ what, why }: { what: string; why: string }) => `${what} cannot be shown. ${why}`,
  'service.computing': ({ what, progress }: { what: string; progress: string | null }) =>
    `${what}: the service is computing it. It comes by itself.${progress === null ? '' : ` ${progress}.`}`,
  'service.coming': () => 'It comes by itself when the service has started.',
  'service.not_understood': ({ what }: { what: string }) =>
    `${what} cannot be shown. The service's answer is not understood.`,
  // Data that cannot be shown, as it begins a sentence.
  'data.history': ({ symbol }: { symbol: string }) => `The history of ${symbol}`,
  'data.factors': ({ symbol }: { symbol: string }) => `The factors of ${symbol}`,
  'data.factor_history': ({ symbol }: { symbol: string }) => `The factor history of ${symbol}`,
  'data.regime': ({ symbol }: { symbol: string }) => `The regime of ${symbol}`,
  'data.regimes': ({ symbol }: { symbol: string }) => `The regimes of ${symbol}`,
  'data.episodes': () => 'When these alerts began',
  'data.validation': () => 'The hold-out record',
  'data.past_closes': () => 'What acting on High Risk brought',
  'data.scheduled': () => 'What is due',
  'data.instruments': () => 'The list of instruments',
};
