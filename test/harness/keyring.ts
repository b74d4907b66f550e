// Test harness: checks by a write whether this machine has a usable keychain now.
import { createKeychain } from '../../main/core/keys/keychain.ts';
import { startKeychain } from '../../main/node/machine.ts';
import { createClock } from '../../shared/lib/clock.ts';

/** A test cannot use a keychain that waits longer for the user, ms. */
const TIMEOUT_MS = 5_000;

/** @returns why there is none; null where there is one */
export async function whyNoKeyring(): Promise<string | null> {
  const clock = createClock({
    now: Date.now,
    setTimeout: (job, ms) => setTimeout(job, Math.min(ms, TIMEOUT_MS)),
    clearTimeout,
  });
  const keychain = createKeychain({ start: startKeychain, clock, platform: process.platform });
  const account = [`barograph/test/${process.pid}`, 'probe'] as const;
  try {
    await keychain.setPassword(...account, 'probe');
    const got = await keychain.getPassword(...account);
    await keychain.deletePassword(...account);
    return got === 'probe' ? null : 'it does not keep what it is given';
  } catch (error) {
    return String(error);
  }
}
