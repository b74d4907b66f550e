// Service, webhooks: mails notices to the owner by SMTP, or writes them as .eml files.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerNotice, OwnerNotifier } from './notices.ts';

export type OwnerMailOptions = { readonly to: string } & (
  | {
      /** smtp:// or smtps://, with user and password if the server needs them. */
      readonly smtpUrl: string;
    }
  | {
      /** Folder for the files; created on demand. */
      readonly outbox: string;
    }
);

const SMTP_TIMEOUT_MS = 10_000;

export function createOwnerMail(options: OwnerMailOptions): OwnerNotifier {
  const { to } = options;
  // From the owner to the owner: the one sender that the owner's own mail server accepts.
  const message = ({ id, subject, text }: OwnerNotice) => ({
    from: { name: 'Barograph', address: to },
    to,
    subject,
    text,
    messageId: `<${id}@barograph.invalid>`,
  });
  return async (letter) => {
    // Large and almost never needed, so loaded only for a due notice.
    const { createTransport } = await import('nodemailer');
    if ('smtpUrl' in options) {
      const limits = {
        connectionTimeout: SMTP_TIMEOUT_MS,
        greetingTimeout: SMTP_TIMEOUT_MS,
        socketTimeout: SMTP_TIMEOUT_MS,
      };
      await createTransport({ url: options.smtpUrl, ...limits }).sendMail(message(letter));
      return;
    }
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message: bytes } = await composer.sendMail(message(letter));
    if (!Buffer.isBuffer(bytes)) throw new Error('the letter was not composed in memory');
    mkdirSync(options.outbox, { recursive: true, mode: 0o700 });
    const file = join(options.outbox, `${letter.id}.eml`);
    writeFileSync(`${file}.part`, bytes, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
}
