// Test harness: a stand-in of Electron's npm package, and a mirror on loopback that serves its archive.
// Installer and checksum are real; the binary is a shell script.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { TOP } from './processes.ts';

export interface Answer {
  readonly status?: number;
  /** Of a redirect. */
  readonly location?: string;
  /** So many bytes of what is asked for, then none. */
  readonly bytes?: number;
}

export interface ElectronMirror {
  /** As ELECTRON_MIRROR wants it. */
  readonly url: string;
  readonly port: number;
  /** The header Range of each request, in order. */
  readonly ranges: (string | undefined)[];
  /** How the next requests are answered, in turn; all others get what they ask for. */
  readonly answers: Answer[];
  /** False: it ignores Range, as some mirrors do. */
  resumes: boolean;
  archive: Buffer;
  /** Breaks all connections. */
  reset(): void;
  close(): Promise<void>;
}

export const VERSION = '45.0.0';
export const ARCHIVE_NAME = `electron-v${VERSION}-${process.platform}-${process.arch}.zip`;

/** @param script the program that stands for Electron; `size` adds bytes that cannot be compressed */
export const electronArchive = (script: string, size: number): Buffer =>
  zipOf({
    electron: Buffer.from(`#!/bin/sh\n${script}\n`),
    version: Buffer.from(VERSION),
    'icudtl.dat': randomBytes(size),
  });

/** Writes node_modules with the package electron for that archive into `root`. */
export function writeElectronPackage(root: string, archive: Buffer, version = VERSION): void {
  const folder = join(root, 'node_modules', 'electron');
  mkdirSync(folder, { recursive: true });
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(TOP, 'node_modules', scope), join(root, 'node_modules', scope), 'dir');
  cpSync(join(TOP, 'node_modules', 'electron', 'install.js'), join(folder, 'install.js'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron', version }));
  const checksum = createHash('sha256').update(archive).digest('hex');
  writeFileSync(join(folder, 'checksums.json'), JSON.stringify({ [ARCHIVE_NAME]: checksum }));
}

export async function startElectronMirror(archive: Buffer): Promise<ElectronMirror> {
  const server = createServer((request, response) => {
    mirror.ranges.push(request.headers.range);
    const { status, location, bytes } = mirror.answers.shift() ?? {};
    if (status !== undefined) return void response.writeHead(status, location === undefined ? {} : { location }).end();
    if (!request.url?.endsWith(`/v${VERSION}/${ARCHIVE_NAME}`)) return void response.writeHead(404).end();
    const { length } = mirror.archive;
    const [, from = '0'] = /^bytes=(\d+)-$/.exec((mirror.resumes ? request.headers.range : undefined) ?? '') ?? [];
    const start = Number(from);
    if (start >= length) return void response.writeHead(416, { 'content-range': `bytes */${length}` }).end();
    response.writeHead(start === 0 ? 200 : 206, {
      'content-length': length - start,
      ...(start === 0 ? {} : { 'content-range': `bytes ${start}-${length - 1}/${length}` }),
    });
    if (bytes === undefined) response.end(mirror.archive.subarray(start));
    else response.write(mirror.archive.subarray(start, start + bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mirror: ElectronMirror = {
    url: `http://127.0.0.1:${port}/`,
    port,
    ranges: [],
    answers: [],
    resumes: true,
    archive,
    reset: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return mirror;
}

/** A zip whose files are stored as they are; all can be executed. */
function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({ name: Buffer.from(name), content }));
  const common = ({ name, content }: (typeof entries)[number]): Buffer => {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    return fields;
  };
  const local = entries.map((entry) =>
    Buffer.concat([Buffer.from('PK\x03\x04'), common(entry), entry.name, entry.content]),
  );
  const central = entries.map((entry, index) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100_755 << 16) >>> 0, 6);
    rest.writeUInt32LE(
      local.slice(0, index).reduce((sum, { length }) => sum + length, 0),
      10,
    );
    // Made on Unix: only so do the file modes count.
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common(entry), rest, entry.name]);
  });
  const [body, directory] = [Buffer.concat(local), Buffer.concat(central)];
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, directory, end]);
}
