// Test harness: searches files, process lists and environments for a secret.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The encodings in which a secret may appear. */
export function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Without its edges, its base64 is the same within any longer text; there are three alignments.
  const inBase64 = [0, 1, 2].map((skip) => bytes.subarray(skip).toString('base64').slice(0, -4));
  const texts = [
    secret,
    bytes.toString('hex'),
    encodeURIComponent(secret),
    [...secret].reverse().join(''),
    ...inBase64,
  ];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}

export const holds = (content: Buffer | string, secret: string): boolean => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return formsOf(secret).some((form) => bytes.includes(form));
};

/** Paths of the files below `folder` that contain the secret. */
export function filesHolding(folder: string, secret: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => holds(readIfThere(path), secret));
}

/** Processes whose arguments or environment hold the secret, as "12 cmdline". Linux only; elsewhere empty. */
export function processesHolding(secret: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) =>
      ['cmdline', 'environ']
        .filter((file) => holds(readIfThere(`/proc/${pid}/${file}`), secret))
        .map((file) => `${pid} ${file}`),
    );
}

/** A file or a process may have ended, or belong to another user. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
