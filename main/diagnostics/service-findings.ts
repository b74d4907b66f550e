// Main, diagnostics: turns the inspection of a profile's key and service into findings. Pure.
import { isUnreachable, type ServiceProblem } from '../../client/problem.ts';
import type { KeyState } from '../../shared/channels/keys.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { type Finding, fail, good, warn } from './check.ts';

export interface ServiceInspection {
  readonly health: ProbeResult;
  /** The one call with the key; null: it was not made. */
  readonly events: ProbeResult | null;
  /** This computer's time minus the service's, ms; null: the service does not send it. */
  readonly skew: { readonly ms: number; readonly within: number } | null;
  readonly stream: StreamProbe | null;
}
/** ms of the round trip, or the error. */
export type ProbeResult = { readonly took: number } | { readonly problem: ServiceProblem };
/** late: it is open, and no byte arrived within this time, ms. */
export type StreamProbe = ProbeResult | { readonly late: number };

export interface ProfileInspection {
  readonly name: string;
  readonly environment: Environment;
  readonly enabled: boolean;
  readonly mode: Profile['mode'];
  /** Host of the address; null: embedded. */
  readonly host: string | null;
  /** null: the service has a key of its own, or a dashboard signs. */
  readonly key: KeyState | null;
  /** It is embedded: needs_app, because the app does not run; closed, because the app opens no port to it. */
  readonly service: ServiceInspection | 'needs_app' | 'closed';
}

/** A larger difference of clocks makes ages and signatures doubtful, ms. */
const CLOCKS_MAY_DIFFER = 5_000;

export function profileFindings(inspection: ProfileInspection): Finding[] {
  return [...switchFindings(inspection), ...keyFindings(inspection), ...serviceFindings(inspection)];
}

const switchFindings = ({ enabled }: ProfileInspection): Finding[] =>
  enabled
    ? []
    : [warn('profile', 'It is switched off and not watched.', 'Switch it on in the window, under Settings.')];

function keyFindings({ name, key, mode, host }: ProfileInspection): Finding[] {
  if (host === null) return [good('key', 'The service inside the app has a key of its own.')];
  if (mode === 'proxy' || key === null) return [good('key', 'The dashboard signs; no key is sent.')];
  const set = `Set it: npm run barograph -- profiles key set ${name}`;
  if (key.status === 'ready') {
    return key.rotation_due
      ? [warn('key', key.message, `Then here: npm run barograph -- profiles key set ${name}`)]
      : [good('key', key.message)];
  }
  if (key.status === 'locked')
    return [warn('key', `${key.message} Key and stream are not tried.`, 'Give BAROGRAPH_PASSPHRASE to the doctor.')];
  if (key.status === 'none' && key.tier === 'session')
    return [
      warn(
        'key',
        'It is kept for a session only, so the running app alone knows it. Key and stream are not tried.',
        `Give BAROGRAPH_KEY to the doctor, or keep it: npm run barograph -- profiles key move ${name} --to keychain`,
      ),
    ];
  if (key.status === 'none') return [fail('key', key.message, `${set}.`)];
  return [fail('key', key.message, `${set}; --keep passphrase keeps it in a file instead.`)];
}

function serviceFindings(inspection: ProfileInspection): Finding[] {
  const { service, host } = inspection;
  if (service === 'closed')
    return [good('service', 'It runs inside the app, which alone can ask it: the page Connection tells how it does.')];
  if (service === 'needs_app') {
    const cure = 'Start Barograph with npm start and ask the doctor again.';
    return [warn('service', 'It runs inside the app, and is not checked now.', cure)];
  }
  const { health, events, skew, stream } = service;
  const findings = [healthFinding(host ?? 'The service inside the app', health)];
  if ('problem' in health && !isAnswer(health.problem)) return findings;
  findings.push(clockFinding(skew));
  if (events === null || stream === null) return findings;
  return [
    ...findings,
    acceptanceFinding(inspection, events, stream),
    streamFinding(inspection, stream),
    ...completeness(events),
  ];
}

/** The service answered, whatever the answer. */
const isAnswer = (problem: ServiceProblem): boolean => problem.status !== null && problem.kind !== 'redirected';

function healthFinding(host: string, tried: ProbeResult): Finding {
  const name = 'service';
  if ('took' in tried) return good(name, `${host} answers in ${tried.took} ms, and reports that it is healthy.`);
  const { problem } = tried;
  if (problem.kind === 'not_sent')
    return fail(name, problem.message, 'Fix the profile: npm run barograph -- profiles list');
  if (isUnreachable(problem))
    return fail(
      name,
      problem.message,
      "Look at this computer's network and VPN, and at the address: npm run barograph -- profiles list",
    );
  if (!isAnswer(problem)) return fail(name, problem.message, 'Give the profile the address that it leads to.');
  const found = `${host} answers, and does not report that it is healthy: ${problem.message}`;
  return warn(name, found, 'Ask whoever runs the service; if you put the address in, compare it.');
}

function clockFinding(skew: ServiceInspection['skew']): Finding {
  const name = 'clock';
  if (skew === null)
    return warn(name, 'The service does not report its time.', "See that this computer's clock is set by the network.");
  const seconds = (Math.abs(skew.ms) / 1000).toFixed(1);
  if (Math.abs(skew.ms) <= CLOCKS_MAY_DIFFER)
    return good(
      name,
      `It agrees with the service's within ${((Math.abs(skew.ms) + skew.within) / 1000).toFixed(1)} s.`,
    );
  const found = `This computer's clock is ${seconds} s ${skew.ms > 0 ? 'ahead of' : 'behind'} the service's.`;
  return warn(name, found, 'Let the network set it.');
}

function acceptanceFinding(
  { environment, name, mode }: ProfileInspection,
  events: ProbeResult,
  stream: StreamProbe,
): Finding {
  const cost = environment === 'production' ? ' That cost one call of the quota.' : '';
  const check = 'key accepted';
  const accepted =
    mode === 'proxy' ? 'The dashboard signs, and the service accepts it.' : 'The service accepts the key.';
  if ('took' in events) return good(check, `${accepted} It answers in ${events.took} ms.${cost}`);
  const { problem } = events;
  if (problem.kind === 'unauthorized')
    return mode === 'proxy'
      ? fail(check, `The dashboard's signature is not accepted. ${problem.message}`, 'Ask whoever runs the dashboard.')
      : fail(
          check,
          `The service does not accept this key. ${problem.message}`,
          `Set another one: npm run barograph -- profiles key set ${name}`,
        );
  // A service without this list may say so before or after it checked the key; an open stream proves that it
  // accepted the key.
  if (problem.kind === 'not_found' && !('problem' in stream)) return good(check, `${accepted}${cost}`);
  if (problem.kind === 'not_found' && 'problem' in stream && stream.problem.kind === 'unauthorized')
    return fail(
      check,
      `The service does not accept this key. ${stream.problem.message}`,
      `Set another one: npm run barograph -- profiles key set ${name}`,
    );
  if (problem.kind === 'forbidden')
    return fail(
      check,
      `The service knows the key and refuses it. ${problem.message}`,
      'Look at the plan and scope of the key.',
    );
  if (problem.kind === 'rate_limited')
    return warn(
      check,
      `The key could not be tried. ${problem.message}`,
      'Wait a little; if it stays so, look at the quota on the page Connection.',
    );
  return warn(
    check,
    `The key could not be tried. ${problem.message}`,
    'Try again in a minute; then ask whoever runs the service.',
  );
}

function streamFinding({ environment }: ProfileInspection, stream: StreamProbe): Finding {
  const name = 'stream';
  const otherwise = 'Barograph asks every few seconds instead.';
  if ('took' in stream)
    return good(
      name,
      `It is open; the first byte came after ${stream.took} ms.${environment === 'production' ? ' To open it cost another call.' : ''}`,
    );
  if ('late' in stream) {
    const seconds = (stream.late / 1000).toFixed(1);
    const found = `It is open, and nothing came within ${seconds} s: something in between may hold it back. ${otherwise}`;
    return warn(name, found, 'Turn buffering off for this address in the proxy, or ask whoever runs it.');
  }
  const { problem } = stream;
  const found = `${problem.message} ${otherwise}`;
  return warn(name, found, 'Look for a proxy or a log-in page in between; then ask whoever runs the service.');
}

function completeness(events: ProbeResult): Finding[] {
  const name = 'completeness';
  if ('took' in events)
    return [good(name, 'The service lists its events in order, so what is missing is found and fetched.')];
  if (events.problem.kind !== 'not_found') return [];
  const cure = 'Ask whoever runs the service for GET /events.';
  return [warn(name, 'The service gives no means to prove completeness: it does not list its events.', cure)];
}
