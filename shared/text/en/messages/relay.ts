// Pure: the English of messages about the relay, its targets, and subscriptions.
import { signatureMessages } from './signature.ts';

const BY_HAND = 'Register the address by hand and give its secret.';

export const relayMessages = {
  ...signatureMessages,

  'relay.cannot_listen': () => 'This program cannot listen for webhooks.',
  'relay.cannot_open': ({ error }: { error: string }) => `The relay cannot keep what it needs: ${error}`,
  'relay.not_ready': () => 'The relay is not ready yet.',
  'relay.other_port': ({ port, taken }: { port: number; taken: number }) =>
    `Another program or profile uses port ${port}, so the relay listens at ${taken}. What the public address passes on to ${port} does not arrive: end that program, or pass it on to ${taken}.`,
  'relay.no_port': ({ error }: { error: string }) =>
    `Webhooks cannot be received: ${error}. Switch the relay off and on to try again.`,
  'relay.public_url_parts': () =>
    'The public address can have neither a query (?), nor a fragment (#), nor a user name: the secret path is appended to it.',
  'relay.public_url_insecure': () => 'The public address must begin with https://.',
  'relay.not_registered': () => 'The service does not deliver here at present, so there is nothing to do that with.',
  'relay.old_secret': ({ error }: { error: string }) =>
    `The new secret is known here, but the service still signs with the old one: ${error}`,
  'relay.not_examinable': () => 'There is nothing to examine in this one.',
  'relay.test_arrived': ({ status }: { status: number | null }) =>
    `The service sent its newest event, and it arrived (answered ${status}).`,
  'relay.test_failed': ({ error }: { error: string }) =>
    `The service sent its newest event, and it did not arrive: ${error}.`,
  'relay.nothing_sent': () => 'nothing was sent',

  'registration.not_asked': () => 'The service was not asked yet.',
  'registration.off': () => 'Switched off.',
  'registration.off_left': ({ why }: { why: string }) =>
    `Switched off. The subscription still exists at the service, which keeps trying to deliver: ${why} Barograph tries to delete it again.`,
  'registration.not_listening': () => 'This computer does not listen yet.',
  'registration.unreachable': () =>
    'The service cannot reach this computer by itself. Set a public address, or register the address by hand and give its secret.',
  'registration.paused': ({ reason }: { reason: string | null }) =>
    `The service had given up delivering (${reason ?? 'it gives no reason'}); it is asked to resume.`,
  'registration.active': () => 'The service delivers here.',
  'registration.unchecked': () =>
    'The service made the subscription. It shows no subscriptions, so whether it still delivers is not checked.',
  'registration.unusable': () =>
    `The service answered the registration in a way that cannot be used. It may have made a subscription; Barograph asks again later, ever more rarely. ${BY_HAND}`,
  'registration.paused_writes': ({ minutes }: { minutes: number }) =>
    `The subscription did not last. It is requested again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, so that the service does not make many.`,
  'registration.no_endpoint': () => `The service has no way to register. ${BY_HAND}`,
  'registration.secret_lost': () =>
    'The service has this subscription already and does not show its secret again. Give the secret here.',
  'registration.secret_not_shown': () =>
    'The service does not show the secret of a new subscription. Give the secret here.',

  'arrival.no_event': () => 'It is not an event: it has neither an id, nor a number, nor a known name.',
  'arrival.ahead': () => 'Its time lies in the future; the service is asked whether it is true.',
  'arrival.too_old': () => 'Its time is more than 30 days ago; the service is asked whether it is true.',
  'arrival.known': () => 'It was already recorded.',
  'arrival.late': () => 'It is more than a day late.',

  'refusal.not_stored': () => 'The ledger could not be written; the service sends it again.',
  'refusal.own_loop': () => 'This relay forwarded it before.',
  'refusal.many_relays': ({ count }: { count: number }) => `It passed ${count} relays already.`,
  'relay.inbound_arrived': () => 'The test arrived and is listed as an alert.',
  'refusal.wrong_host': () => 'A request named another host.',
  'refusal.has_origin': () => 'A web page sent a request; pages are not answered.',
  'refusal.wrong_path': () => 'A request came to a path that does not exist.',
  'refusal.wrong_method': () => 'Only POST is answered.',
  'refusal.wrong_type': () => 'A body was not application/json.',
  'refusal.too_large': ({ kilobytes }: { kilobytes: number }) => `A body was larger than ${kilobytes} KB.`,
  'refusal.too_many': ({ count }: { count: number }) =>
    `More than ${count} alerts of other programs within a minute: those beyond it were refused.`,
  'refusal.too_slow': ({ seconds }: { seconds: number }) => `A request was not complete after ${seconds} s.`,
  'refusal.not_http': () => 'Something other than an HTTP request arrived.',

  'target.not_url': ({ url }: { url: string }) =>
    `"${url}" is not a web address. It must begin with http:// or https://, and port 0 is none.`,
  'target.password': () => 'The address contains a password. Remove it.',
  'target.own': () => 'This is the relay itself. Give the address of another program.',
  'target.duplicate': () => 'Events are already forwarded to this address. Remove that target first.',
  'target.public': ({ host }: { host: string }) =>
    `${host} is neither this computer nor in its own network. Allow that for this target to forward events there.`,
  'target.given_up': () => 'it was not accepted for 30 days',
  'target.answered': ({ status }: { status: number }) => `answered ${status}`,
  'target.redirected': ({ status }: { status: number }) => `answered ${status}; redirects are not followed`,
  'target.no_answer': ({ seconds }: { seconds: number }) => `no answer within ${seconds} s`,

  'subscription.list': () => 'The list of subscriptions',
  'subscription.log': () => 'The log of deliveries',
  'subscription.no_list': () =>
    'This service keeps no list of subscriptions. Save what it shows when you subscribe there.',
  'subscription.no_log': () => 'This service keeps no log of its deliveries, or no longer knows this subscription.',
  'feed.list': () => 'The list of feeds',
  'subscription.nothing_changed': () => 'Barograph is not connected. Nothing was changed.',
  'subscription.unsupported': () => 'This service has no way to do that, or no longer knows the subscription.',
  'subscription.no_secret': () => 'The service answered without a new secret.',
  'subscription.nothing_sent': () => 'The service sent nothing: it has no matching event yet.',
  'subscription.answered': ({ status }: { status: number | null }) => `The address answered ${status ?? 'nothing'}.`,
  'subscription.test_failed': ({ error }: { error: string }) => `It did not arrive: ${error}.`,
};
