// Service, webhooks: mails notices to owners of accounts by SMTP, or writes them as .eml files.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Mail from 'nodemailer/lib/mailer';
import type { OwnerNotice, OwnerNotifier } from './notices.ts';

export interface OwnerMailOptions {
  /** Gets the notices of accounts without an owner, and is the sender of all. */
  readonly operator: string | null;
  /** smtp:// or smtps://, with user and password if the server needs them. */
  readonly smtpUrl: string | null;
  /** Folder for the files where there is no server or no address; created on demand. null: none. */
  readonly outbox: string | null;
}

const SMTP_TIMEOUT_MS = 10_000;
/** In a file, where nobody is known. */
const NOBODY = 'owner@localhost';

/** A notice that has neither address nor folder is only in the log, which has every pause. */
export function createOwnerMail({ operator, smtpUrl, outbox }: OwnerMailOptions): OwnerNotifier {
  const message = ({ id, subject, text }: OwnerNotice, to: string) => ({
    // Without an operator from the owner to the owner: the one sender that the owner's own mail server accepts.
    from: { name: 'Barograph', address: operator ?? to },
    to,
    subject,
    text,
    messageId: `<${id}@barograph.invalid>`,
  });
  return async (letter) => {
    const to = letter.to ?? operator;
    if (smtpUrl !== null && to !== null) await mail(message(letter, to), smtpUrl);
    else if (outbox !== null) await write(message(letter, to ?? NOBODY), outbox, `${letter.id}.eml`);
  };
}

async function mail(message: Mail.Options, url: string): Promise<void> {
  // Large and almost never needed, so loaded only for a due notice.
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  };
  await createTransport({ url, ...limits }).sendMail(message);
}

async function write(message: Mail.Options, folder: string, name: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message: bytes } = await composer.sendMail(message);
  if (!Buffer.isBuffer(bytes)) throw new Error('the letter was not composed in memory');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  writeFileSync(`${file}.part`, bytes, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}
