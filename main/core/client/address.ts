// Main, core: which address a key may travel to. Everything here is decided before a byte is sent.
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Profile } from '../profiles/settings.ts';
import { problem, type ServiceProblem } from './problem.ts';

export interface Service {
  readonly baseUrl: string;
  readonly key: string | null;
}

/** Loopback by name or address: the only place where plain http is accepted. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Checks that address, key and profile fit together.
 * @returns the base URL, ending in "/", or words for the user
 */
export function checkService(service: Service, profile: Profile): Result<URL, ServiceProblem> {
  const refuse = (message: string) => err(problem('not_sent', `${message} Nothing was sent.`));
  const url = URL.parse(service.baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`"${service.baseUrl}" is no web address. It must begin with https://.`);
  if (url.username !== '' || url.password !== '') return refuse(`The address of profile ${profile.name} contains a password. Remove it.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return refuse(`${url.host} is not this computer, and http would show the key to the network. Use https://.`);
  const wrong = profile.environment === 'sandbox' ? 'svc_live_' : 'svc_test_';
  if (service.key?.startsWith(wrong) === true)
    return refuse(
      profile.environment === 'sandbox'
        ? `This is a production key, and profile ${profile.name} is a sandbox. Use a key that begins with svc_test_.`
        : `This is a sandbox key, and profile ${profile.name} is production. Use a key that begins with svc_live_.`,
    );
  if (service.key !== null && !/^[\x21-\x7e]{1,512}$/.test(service.key))
    return refuse('The key contains blanks or signs that no key has. Copy it again.');
  const base = new URL(url.origin);
  base.pathname = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return ok(base);
}
