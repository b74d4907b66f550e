// Main, diagnostics: turns the inspection of a profile's key and service into findings. Pure.
import { isUnreachable, type ServiceProblem } from '../../client/problem.ts';
import type { KeyState } from '../../shared/channels/keys.ts';
import { isOwnModel } from '../../shared/domain/model-version.ts';
import type { ProxyChoice } from '../../shared/lib/proxy.ts';
import { stateMapText } from '../../shared/settings/state-map.ts';
import { textOf } from '../../shared/text/message.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { FeedFinding } from '../host/embedded-service.ts';
import { proxyMessage } from '../host/network-path.ts';
import { type Finding, fail, good, warn } from './check.ts';
import type { HealthReport } from './health-words.ts';

export interface ServiceInspection {
  readonly health: ProbeResult;
  /** The classified answer of /health; null: none was received. */
  readonly report: HealthReport | null;
  /** The first call with the key; null: it was not made. */
  readonly events: ProbeResult | null;
  /** The model of a signal, by a second call; null: unknown. */
  readonly model: string | null;
  /** This computer's time minus the service's, ms; null: the service does not send it. */
  readonly skew: { readonly ms: number; readonly within: number } | null;
  readonly stream: StreamProbe | null;
  /**
   * How far the service's clock advanced between two questions, and how far it should have, world ms; `at`: its
   * time at the first. null: the service does not give its time, or not twice.
   */
  readonly progress: { readonly at: number; readonly passed: number; readonly expected: number } | null;
}
/** Duration of the round trip, ms, or the error. */
export type ProbeResult = { readonly took: number } | { readonly problem: ServiceProblem };
/** late: the stream is open, but no byte arrived within this time, ms. */
export type StreamProbe = ProbeResult | { readonly late: number };

export interface ProfileInspection {
  readonly name: string;
  readonly environment: Environment;
  readonly enabled: boolean;
  readonly mode: Profile['mode'];
  /** Proxy of requests to the address; null or absent: unknown, or not applicable. */
  readonly proxy?: ProxyChoice | null;
  /** State map of the profile; absent: none. */
  readonly states?: Profile['states'];
  /** Host of the address; null: embedded. */
  readonly host: string | null;
  /** null: the service inside the app needs no key, or a dashboard signs. */
  readonly key: KeyState | null;
  /** For an embedded service, needs_app: the app does not run; closed: the app opens no port to it. */
  readonly service: ServiceInspection | 'needs_app' | 'closed';
  /** Whether the app watches the profile now. */
  readonly isWatched: boolean;
  /** Results of the tests of its feed of prices; null or absent: none. */
  readonly feed?: readonly FeedFinding[] | null;
}

/** A larger difference of clocks makes ages and signatures doubtful, ms. */
const CLOCKS_MAY_DIFFER = 5_000;

export function profileFindings(inspection: ProfileInspection): Finding[] {
  const found = [switchFindings, statesFindings, keyFindings, proxyFindings, feedFindings, serviceFindings];
  return found.flatMap((findings) => findings(inspection));
}

const switchFindings = ({ enabled }: ProfileInspection): Finding[] =>
  enabled ? [] : [warn('profile', 'It is turned off and not watched.', 'Turn it on in the window, under Settings.')];

const statesFindings = ({ states }: ProfileInspection): Finding[] =>
  states === undefined ? [] : [good('states', `By the map of this profile: ${stateMapText(states)}.`)];

function proxyFindings({ proxy = null }: ProfileInspection): Finding[] {
  if (proxy === null || (proxy.kind === 'direct' && proxy.why !== 'excepted')) return [];
  const found = `Requests to the service: ${textOf(proxyMessage(proxy))}.`;
  if (proxy.kind === 'direct' || proxy.kind === 'proxy') return [good('proxy', found)];
  return [fail('proxy', found, 'Name an http proxy in HTTPS_PROXY, or none with NODE_USE_ENV_PROXY=0.')];
}

function keyFindings({ name, key, mode, host, isWatched }: ProfileInspection): Finding[] {
  if (host === null && key === null) return [good('key', 'The service inside the app has a key of its own.')];
  if (mode === 'proxy' || key === null) return [good('key', 'The dashboard signs; no key is sent.')];
  const said = textOf(key.message);
  const set = `Set it: npm run barograph -- profiles key set ${name}`;
  if (key.status === 'ready') {
    return key.rotation_due
      ? [warn('key', said, `Then here: npm run barograph -- profiles key set ${name}`)]
      : [good('key', said)];
  }
  if (key.status === 'locked')
    return [warn('key', `${said} Key and stream were not tested.`, 'Give BAROGRAPH_PASSPHRASE to the doctor.')];
  if (key.status === 'none' && key.tier === 'session')
    return [
      warn(
        'key',
        'It is kept for one session, so only the running app knows it. Key and stream were not tested.',
        `Give BAROGRAPH_KEY to the doctor, or keep it: npm run barograph -- profiles key move ${name} --to keychain`,
      ),
    ];
  if (key.status === 'none' && isWatched)
    return [
      warn(
        'key',
        `${said} The running app may have one by BAROGRAPH_KEY. Key and stream were not tested.`,
        `Give BAROGRAPH_KEY to the doctor too. ${set}, if there is none.`,
      ),
    ];
  if (key.status === 'none') return [fail('key', said, `${set}.`)];
  return [fail('key', said, `${set}; --keep passphrase keeps it in a file instead.`)];
}

/** Faults of key and prices are failures, since signals need them; any other fault is a warning. */
function feedFindings({ feed = null }: ProfileInspection): Finding[] {
  const name = 'prices';
  if (feed === null) return [];
  const right = feed.filter(({ isRight }) => isRight).map(({ text }) => text);
  return [
    ...(right.length === 0 ? [] : [good(name, `${right.join('; ')}.`)]),
    ...feed
      .filter(({ isRight }) => !isRight)
      .map(({ of, text }) => (of === 'key' || of === 'feed' ? fail : warn)(name, text, 'Then run the doctor again.')),
  ];
}

function serviceFindings(inspection: ProfileInspection): Finding[] {
  const { service, host } = inspection;
  if (service === 'closed')
    return [good('service', 'It runs inside the app, the only program that can reach it: see Settings, Connection.')];
  if (service === 'needs_app') {
    const cure = 'Start Barograph with npm start, then run the doctor again.';
    return [warn('service', 'It runs inside the app, which is not running, so it was not checked.', cure)];
  }
  const { health, report, events, model, skew, stream, progress } = service;
  const findings = [healthFinding(host ?? 'The service inside the app', health, report)];
  if ('problem' in health && !isAnswer(health.problem)) return findings;
  findings.push(clockFinding(skew), ...progressFindings(progress));
  if (events === null || stream === null) return findings;
  return [
    ...findings,
    acceptanceFinding(inspection, events, stream),
    streamFinding(inspection, stream),
    ...completeness(events),
    ...modelFindings(inspection, model),
  ];
}

/** True where the service itself answered, also with an error. */
const isAnswer = (problem: ServiceProblem): boolean => problem.status !== null && problem.kind !== 'redirected';

function healthFinding(host: string, tried: ProbeResult, report: HealthReport | null): Finding {
  const name = 'service';
  if ('took' in tried) return reportFinding(`${host} answers in ${tried.took} ms`, report);
  const { problem } = tried;
  if (problem.kind === 'not_sent')
    return fail(name, problem.message, 'Fix the profile: npm run barograph -- profiles list');
  if (problem.kind === 'unproven')
    return problem.code === 'unknown_owner'
      ? warn(
          name,
          `${problem.message} Nothing was sent.`,
          'Allow it if you know what runs there: npm run barograph -- profiles trust NAME',
        )
      : fail(
          name,
          `${problem.code === 'no_proof' ? 'What answers at this address is not the service that has your key. ' : ''}${problem.message} Nothing was sent.`,
          'Find the program that answers there, also a proxy or balancer, and start the service again.',
        );
  if (isUnreachable(problem))
    return fail(
      name,
      problem.message,
      "Check this computer's network and VPN, and the address: npm run barograph -- profiles list",
    );
  if (!isAnswer(problem)) return fail(name, problem.message, 'Give the profile the address it redirects to.');
  const said = report?.said == null ? '' : ` It says "${report.said}".`;
  const found = `${host} answers, but does not report that it is healthy: ${problem.message}${said}`;
  return warn(name, found, 'Ask the operator of the service; if you typed the address, check it.');
}

/** Quotes the answer and names its class, since the specification does not fix the words (contract 19). */
function reportFinding(answers: string, report: HealthReport | null): Finding {
  const name = 'service';
  const said = `${answers}, and says "${report?.said ?? ''}"`;
  const ask = 'Ask the operator of the service; what arrives is shown as it comes.';
  switch (report?.means) {
    case 'healthy':
      return good(name, `${said}: it is healthy.`);
    case 'degraded':
      return warn(name, `${said}: it is impaired, so signals may be late or missing.`, ask);
    case 'down':
      return warn(name, `${said}: it is not healthy, though it answers.`, ask);
    case 'unknown':
      return warn(name, `${said}. Barograph does not know these words: the service answers, no more is known.`, ask);
    default:
      return good(
        name,
        report?.said == null
          ? `${answers}. It says nothing about its health.`
          : `${said}: it is alive, and says nothing about its health.`,
      );
  }
}

function clockFinding(skew: ServiceInspection['skew']): Finding {
  const name = 'clock';
  if (skew === null)
    return warn(
      name,
      'The service does not report its time.',
      "Check that this computer's clock is set by the network.",
    );
  const seconds = (Math.abs(skew.ms) / 1000).toFixed(1);
  if (Math.abs(skew.ms) <= CLOCKS_MAY_DIFFER)
    return good(
      name,
      `It agrees with the service's within ${((Math.abs(skew.ms) + skew.within) / 1000).toFixed(1)} s.`,
    );
  const found = `This computer's clock is ${seconds} s ${skew.ms > 0 ? 'ahead of' : 'behind'} the service's.`;
  return warn(name, found, 'Let the network set it.');
}

/** Part of its own speed that a clock which goes on has at least, also in whole seconds. */
const GOES_ON = 0.4;

function progressFindings(progress: ServiceInspection['progress']): Finding[] {
  if (progress === null || progress.passed >= progress.expected * GOES_ON) return [];
  const found = `The service answers, but its clock stands still at ${timestamp(progress.at)}: nothing new arrives from it.`;
  return [
    fail('clock of the service', found, 'Ask the operator of the service: its evaluation hangs, or it is cut off.'),
  ];
}

function acceptanceFinding(
  { environment, name, mode }: ProfileInspection,
  events: ProbeResult,
  stream: StreamProbe,
): Finding {
  const cost = environment === 'production' ? ' This used one call of the quota.' : '';
  const check = 'key accepted';
  const accepted =
    mode === 'proxy' ? 'The dashboard signs, and the service accepts it.' : 'The service accepts the key.';
  if ('took' in events) return good(check, `${accepted} It answers in ${events.took} ms.${cost}`);
  const { problem } = events;
  if (problem.kind === 'unauthorized')
    return mode === 'proxy'
      ? fail(
          check,
          `The dashboard's signature is not accepted. ${problem.message}`,
          'Ask the operator of the dashboard.',
        )
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
      'Check the plan and scope of the key.',
    );
  if (problem.kind === 'rate_limited')
    return warn(
      check,
      `The key could not be tested. ${problem.message}`,
      'Try again in a few minutes; if that does not help, check the quota in Settings, Connection.',
    );
  return warn(
    check,
    `The key could not be tested. ${problem.message}`,
    'Try again in a minute, then ask the operator of the service.',
  );
}

function streamFinding({ environment }: ProfileInspection, stream: StreamProbe): Finding {
  const name = 'stream';
  const otherwise = 'Barograph polls every few seconds instead.';
  if ('took' in stream)
    return good(
      name,
      `It is open; the first byte came after ${stream.took} ms.${environment === 'production' ? ' Opening it used another call.' : ''}`,
    );
  if ('late' in stream) {
    const seconds = (stream.late / 1000).toFixed(1);
    const late = `It is open, but no data arrived within ${seconds} s: a proxy may be holding it back. ${otherwise}`;
    return warn(name, late, 'Turn off buffering for this address in the proxy, or ask its operator.');
  }
  const { problem } = stream;
  const found = `${problem.message} ${otherwise}`;
  return warn(name, found, 'Check for a proxy or a log-in page on the way, then ask the operator of the service.');
}

function modelFindings({ environment }: ProfileInspection, model: string | null): Finding[] {
  if (model === null) return [];
  const cost = environment === 'production' ? ' This used another call.' : '';
  const own = isOwnModel(model) ? ': the operator’s own model, not the one that Barograph ships' : '';
  return [good('model', `Signals come from model ${model}${own}.${cost}`)];
}

function completeness(events: ProbeResult): Finding[] {
  const name = 'completeness';
  if ('took' in events)
    return [good(name, 'The service lists its events in order, so missing events are found and fetched.')];
  if (events.problem.kind !== 'not_found') return [];
  const cure = 'Ask the operator of the service for GET /events.';
  return [warn(name, 'The service does not list its events, so nothing proves that none is missing.', cure)];
}
