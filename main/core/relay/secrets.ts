// Main, core: the relay's secrets: its path, its signing secrets, and the pinned spelling.
// They are one item of the vault, so that they change together.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import type { KeyVault, Logger } from '../ports.ts';
import type { LiveSecret, Proof } from './signature.ts';

const SecretsSchema = z.strictObject({
  /** The path of the address: 32 characters that nobody can guess. */
  path: z.string().regex(/^[\w-]{32}$/),
  /** The path of the inbound address; absent in earlier versions. */
  inbound: z
    .string()
    .regex(/^[\w-]{32}$/)
    .optional(),
  current: z.string().nullable(),
  /** Valid beside the current one while the service changes over. */
  previous: z.string().nullable(),
  /**
   * When the current one was first seen in X-Service-Signature, ms: since then only deliveries in transit
   * need the previous one.
   */
  changedOver: z.number().nullable(),
  form: z.string().nullable(),
});
type Secrets = z.infer<typeof SecretsSchema> & { readonly inbound: string };

/** Account name of this item in a vault. */
export const RELAY_ACCOUNT = 'relay';
/** The service signs each attempt again and tries for a day; this is longer, ms. */
const PREVIOUS_LIFETIME = 25 * HOUR_MS;

export interface SecretStore {
  /** Reads the item from the vault, or makes a new one. Await it first; like all methods it never rejects. */
  load(): Promise<void>;
  /** Reads the item again, if the vault did not give it yet. */
  reload(): Promise<void>;
  path(): string;
  /** The path of the inbound address. */
  inbound(): string;
  /** Makes a new path for the inbound address; the earlier one no longer exists. */
  rotateInbound(): Promise<void>;
  live(now: number): LiveSecret[];
  /** Stored secrets that are no longer valid; for the diagnostics. */
  retired(now: number): string[];
  form(): string | null;
  /** Sets a new secret; the previous one stays valid beside it. Unpins the spelling. */
  replace(secret: string): Promise<void>;
  /** Sets the first secret of a new subscription; earlier secrets become invalid. */
  begin(secret: string): Promise<void>;
  /** Records a proof: pins its spelling, and notes when the service has changed over. */
  proven(proof: Proof, now: number): Promise<void>;
}

const newPath = (): string => randomBytes(24).toString('base64url');
const newSecrets = (): Secrets => ({
  path: newPath(),
  inbound: newPath(),
  current: null,
  previous: null,
  changedOver: null,
  form: null,
});

/**
 * While the vault fails, the secrets last for this run. Its item is not overwritten: it is read before the
 * next write.
 * @param profile name of the profile in the vault
 * @param loadedLate called when the vault gave its item after `load` had failed: the path may have changed
 */
export function createSecretStore(
  vault: KeyVault,
  profile: string,
  logger: Pick<Logger, 'info'>,
  loadedLate: () => void,
): SecretStore {
  let secrets = newSecrets();
  let hasAnswered = false;
  /** The running read: the vault is asked once at a time. */
  let loading: Promise<void> | null = null;
  const notPersisted = (error: unknown): void =>
    logger.info({ problem: messageOf(error) }, 'the secret of the relay lasts for this run only');
  const write = async (): Promise<void> => {
    try {
      await vault.setPassword(profile, RELAY_ACCOUNT, JSON.stringify(secrets));
    } catch (error) {
      notPersisted(error);
    }
  };
  const read = async (): Promise<void> => {
    let found: string | null;
    try {
      found = await vault.getPassword(profile, RELAY_ACCOUNT);
    } catch (error) {
      return notPersisted(error);
    }
    hasAnswered = true;
    const parsed = found === null ? null : SecretsSchema.safeParse(parse(found));
    if (parsed?.success === true) secrets = { ...parsed.data, inbound: parsed.data.inbound ?? secrets.inbound };
    if (parsed?.data?.inbound === undefined) await write();
  };
  const ask = (job: () => Promise<void>): Promise<void> => {
    loading ??= job().finally(() => {
      loading = null;
    });
    return loading;
  };
  const reload = async (): Promise<void> => {
    if (hasAnswered) return;
    await ask(async () => {
      await read();
      if (hasAnswered) loadedLate();
    });
  };
  const save = async (change: (now: Secrets) => Secrets): Promise<void> => {
    // The change takes effect at once: a delivery may arrive before the vault has answered.
    secrets = change(secrets);
    if (!hasAnswered) {
      await reload();
      if (!hasAnswered) return;
      secrets = change(secrets);
    }
    await write();
  };
  const isOver = (now: number): boolean =>
    secrets.changedOver !== null && Math.abs(now - secrets.changedOver) > PREVIOUS_LIFETIME;
  return {
    load: () => ask(read),
    reload,
    path: () => secrets.path,
    inbound: () => secrets.inbound,
    async rotateInbound() {
      const inbound = newPath();
      await save((now) => ({ ...now, inbound }));
    },
    live(now) {
      const { current, previous } = secrets;
      return [
        ...(current === null ? [] : [{ generation: 'current', text: current } as const]),
        ...(previous === null || isOver(now) ? [] : [{ generation: 'previous', text: previous } as const]),
      ];
    },
    retired: (now) => (secrets.previous !== null && isOver(now) ? [secrets.previous] : []),
    form: () => secrets.form,
    replace: (secret) =>
      save((now) =>
        secret === now.current
          ? { ...now, form: null }
          : { ...now, current: secret, previous: now.current, changedOver: null, form: null },
      ),
    begin: (secret) => save((now) => ({ ...now, current: secret, previous: null, changedOver: null, form: null })),
    async proven({ generation, form }, now) {
      const learnt = secrets.form === null && form !== null;
      const changed =
        secrets.previous !== null && secrets.changedOver === null && generation === 'current' && form !== null;
      if (learnt || changed)
        await save((stored) => ({
          ...stored,
          form: stored.form ?? form,
          changedOver: changed ? now : stored.changedOver,
        }));
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
