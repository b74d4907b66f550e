// Service, webhooks, test: mail to the owner, as files and by SMTP.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOwnerMail } from './owner-mail.ts';

const letter = {
  id: 'sub_1.1700000000000',
  to: 'ann@example.com',
  subject: 'Webhook subscription sub_1 is paused',
  text: 'It delivers to https://example.com/höre\n',
};

test('without a mail server a notice becomes a file for mail programs, readable only by the owner of the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  try {
    const outbox = join(folder, 'outbox');
    const notify = createOwnerMail({ operator: null, smtpUrl: null, outbox });
    await notify(letter);
    await notify(letter);
    expect(readdirSync(outbox)).toEqual(['sub_1.1700000000000.eml']);
    const file = join(outbox, 'sub_1.1700000000000.eml');
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^To: ann@example\.com\r$/m);
    expect(text).toMatch(/^Subject: Webhook subscription sub_1 is paused\r$/m);
    expect(text).toContain('https://example.com/h=C3=B6re');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(outbox).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a notice without an owner goes to the operator, and to nobody where there is none, or to no folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  try {
    const file = join(folder, 'sub_1.1700000000000.eml');
    const unowned = { ...letter, to: null };
    await createOwnerMail({ operator: 'desk@example.com', smtpUrl: null, outbox: folder })(unowned);
    expect(readFileSync(file, 'utf8')).toMatch(/^To: desk@example\.com\r$/m);
    // A mail server without an address to send to: the folder has the notice.
    await createOwnerMail({ operator: null, smtpUrl: 'smtp://127.0.0.1:9', outbox: folder })(unowned);
    expect(readFileSync(file, 'utf8')).toMatch(/^To: owner@localhost\r$/m);
    await createOwnerMail({ operator: null, smtpUrl: null, outbox: null })(unowned);
    expect(readdirSync(folder)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('with a mail server the notice goes by SMTP; a refusal by the server is a failure', async () => {
  let received = '';
  let accepting = true;
  const server = createServer((socket) => {
    let inLetter = false;
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString('utf8');
      if (inLetter) {
        received += text;
        if (!received.endsWith('\r\n.\r\n')) return;
        inLetter = false;
        socket.write('250 kept\r\n');
      } else if (text.startsWith('DATA')) {
        inLetter = true;
        socket.write('354 go on\r\n');
      } else if (text.startsWith('MAIL') && !accepting) socket.write('550 not you\r\n');
      else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 fine\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const notify = createOwnerMail({
      operator: 'desk@example.com',
      smtpUrl: `smtp://127.0.0.1:${port}/?ignoreTLS=true`,
      outbox: null,
    });
    await notify(letter);
    expect(received).toContain('To: ann@example.com');
    expect(received).toContain('From: Barograph <desk@example.com>');
    expect(received).toContain('Message-ID: <sub_1.1700000000000@barograph.invalid>');
    accepting = false;
    await expect(notify(letter)).rejects.toThrow('not you');
  } finally {
    server.close();
  }
});
