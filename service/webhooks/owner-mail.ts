// Service, webhooks: letters to the owner, by SMTP when there is a server, else as .eml files in a folder that any mail program opens.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerNotice, OwnerNotifier } from './notices.ts';

export type OwnerMailOptions = { readonly to: string } & (
  | {
      /** smtp:// or smtps://, with user and password where the server wants them. */
      readonly smtpUrl: string;
    }
  | {
      /** Folder for the files; it is made when it is needed. */
      readonly outbox: string;
    }
);

const SMTP_TIMEOUT_MS = 10_000;

export function createOwnerMail(options: OwnerMailOptions): OwnerNotifier {
  const { to } = options;
  // From the owner to the owner: the one sender that the owner's own mail server lets through.
  const message = ({ id, subject, text }: OwnerNotice) => ({
    from: { name: 'Barograph', address: to },
    to,
    subject,
    text,
    messageId: `<${id}@barograph.invalid>`,
  });
  return async (letter) => {
    // Loaded when a letter is due, which is almost never: it is large.
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
