// Main, core: what the relay must not lose and nobody may see: the path under which it listens, the secrets that deliveries are proven by, and the
// spelling that was good first. One item of the vault, so that they change together.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import type { KeyVault } from '../ports.ts';
import type { LiveSecret, Proof } from './signature.ts';

const BookSchema = z.strictObject({
  /** What stands behind the address: 32 characters that nobody can guess. */
  path: z.string().regex(/^[\w-]{32}$/),
  current: z.string().nullable(),
  /** Good beside the current one while the service changes over. */
  previous: z.string().nullable(),
  /** When the current one was first seen in X-Service-Signature: from then on the previous one is needed only by what was under way, ms. */
  changedOver: z.number().nullable(),
  form: z.string().nullable(),
});
type Book = z.infer<typeof BookSchema>;

/** Account name of this item in a vault. */
export const RELAY_ACCOUNT = 'relay';
/** The service signs every attempt anew and tries for a day; this is longer, ms. */
const PREVIOUS_KEPT = 25 * 3_600_000;

export interface SecretBook {
  /** Reads it from the vault, or makes a new one there. To be awaited before anything else; like all of this it never rejects. */
  load(): Promise<void>;
  path(): string;
  live(now: number): LiveSecret[];
  /** Secrets that are kept and no longer good; for the doctor. */
  retired(now: number): string[];
  form(): string | null;
  /** A new secret; the one before stays good beside it. The spelling is learnt anew. */
  replace(secret: string): Promise<void>;
  /** A first secret, of a new subscription: what was before proves nothing any more. */
  begin(secret: string): Promise<void>;
  /** A delivery was proven: its spelling counts from now on, and the service may have changed over. */
  proven(proof: Proof, now: number): Promise<void>;
}

const newBook = (): Book => ({
  path: randomBytes(24).toString('base64url'),
  current: null,
  previous: null,
  changedOver: null,
  form: null,
});

/**
 * @param profile the vault's name for it
 * @param onUnkept the vault failed: what is in here lasts for this run, and the next one gets another subscription
 */
export function createSecretBook(vault: KeyVault, profile: string, onUnkept: (words: string) => void): SecretBook {
  let book = newBook();
  const save = async (next: Book): Promise<void> => {
    // It counts at once: a delivery may come before the vault has answered.
    book = next;
    try {
      await vault.setPassword(profile, RELAY_ACCOUNT, JSON.stringify(next));
    } catch (thrown) {
      onUnkept(messageOf(thrown));
    }
  };
  const kept = async (): Promise<string | null> => {
    try {
      return await vault.getPassword(profile, RELAY_ACCOUNT);
    } catch (thrown) {
      onUnkept(messageOf(thrown));
      return null;
    }
  };
  const isOver = (now: number): boolean =>
    book.changedOver !== null && Math.abs(now - book.changedOver) > PREVIOUS_KEPT;
  return {
    async load() {
      const found = await kept();
      const parsed = found === null ? null : BookSchema.safeParse(parse(found));
      if (parsed?.success === true) book = parsed.data;
      else await save(newBook());
    },
    path: () => book.path,
    live(now) {
      const { current, previous } = book;
      return [
        ...(current === null ? [] : [{ slot: 'current', text: current } as const]),
        ...(previous === null || isOver(now) ? [] : [{ slot: 'previous', text: previous } as const]),
      ];
    },
    retired: (now) => (book.previous !== null && isOver(now) ? [book.previous] : []),
    form: () => book.form,
    async replace(secret) {
      if (secret === book.current) return save({ ...book, form: null });
      await save({ ...book, current: secret, previous: book.current, changedOver: null, form: null });
    },
    begin: (secret) => save({ ...book, current: secret, previous: null, changedOver: null, form: null }),
    async proven({ slot, form }, now) {
      const learnt = book.form === null && form !== null;
      const changed = book.previous !== null && book.changedOver === null && slot === 'current' && form !== null;
      if (learnt || changed)
        await save({ ...book, form: book.form ?? form, changedOver: changed ? now : book.changedOver });
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
