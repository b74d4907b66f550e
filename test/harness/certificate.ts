// Test harness: a self-signed certificate for desk.example and this computer, as files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { TlsFiles, TlsPair } from '../../service/network/tls.ts';

export async function newCertificate(): Promise<TlsPair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'desk.example' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'desk.example' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { cert, key };
}

/** Writes the pair into the folder, over one that is there. */
export function writeCertificate(folder: string, { cert, key }: TlsPair): TlsFiles {
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}
