// Main, core: the tokens by which an answer from a phone names its notification. Nobody else can make one.
import { createHmac, randomBytes } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';

export interface AnswerTokens {
  /** 22 letters, digits, dashes and underscores: Telegram takes 64 bytes with a button. */
  of(notificationId: string): string;
}

export function createAnswerTokens({ metadata }: Pick<Ledger, 'metadata'>): AnswerTokens {
  const key = (): string => {
    const known = metadata.get('answer_key');
    if (known !== null) return known;
    const made = randomBytes(32).toString('hex');
    metadata.set('answer_key', made);
    return made;
  };
  return {
    of: (id) => createHmac('sha256', key()).update(id).digest().subarray(0, 16).toString('base64url'),
  };
}
