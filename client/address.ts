// Client: the addresses that a key may be sent to, checked before any byte is sent.
import { isLoopback } from '../shared/lib/loopback.ts';
import { err, ok, type Result } from '../shared/lib/result.ts';
import { type Environment, KEY_PREFIXES, keyEnvironment } from '../shared/wire/keys.ts';
import { parseUrl } from './parse-url.ts';
import { problem, type ServiceProblem } from './problem.ts';

export interface Service {
  readonly baseUrl: string;
  readonly key: string | null;
}

/** The caller on whose behalf a client is made. */
export interface Asker {
  /** For messages: "profile desk", "this client". */
  readonly name: string;
  /** null: a key of either environment. */
  readonly environment: Environment | null;
}

/**
 * Checks that address, key and caller fit together.
 * @returns the base URL, ending in "/", or a message for the user
 */
export function checkService(service: Service, asker: Asker): Result<URL, ServiceProblem> {
  const refuse = (message: string) => err(problem('not_sent', `${message} Nothing was sent.`));
  const url = parseUrl(service.baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`"${service.baseUrl}" is not a web address. It must begin with https://.`);
  if (url.username !== '' || url.password !== '') return refuse('The address contains a password. Remove it.');
  // Plain http is accepted for loopback only.
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return refuse(`${url.host} is not this computer, and http would show the key to the network. Use https://.`);
  const named = service.key === null ? null : keyEnvironment(service.key);
  if (asker.environment !== null && named !== null && named !== asker.environment)
    return refuse(
      `This is a ${named} key, and ${asker.name} is ${asker.environment === 'sandbox' ? 'a sandbox' : 'production'}. Use a key that begins with ${KEY_PREFIXES[asker.environment]}.`,
    );
  if (service.key !== null && !/^[\x21-\x7e]{1,512}$/.test(service.key))
    return refuse('The key contains blanks or signs that no key has. Copy it again.');
  const base = new URL(url.origin);
  base.pathname = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return ok(base);
}
