// Main, Electron shell: reads the packager's update feed, and the signature of the build.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Feed, isMacSignature, readFeed } from './updates.ts';

export interface Build {
  /** Folder of the packager's files. */
  readonly resources: string;
  readonly platform: NodeJS.Platform;
  /** Path of the running program. */
  readonly execPath: string;
}

const CODESIGN = '/usr/bin/codesign';
const LIMIT = 5_000;

export async function readBuildFeed({ resources, platform, execPath }: Build): Promise<Feed | null> {
  const text = await readFile(join(resources, 'app-update.yml'), 'utf8').catch(() => null);
  const isMacSigned = text !== null && platform === 'darwin' && isMacSignature(await signatureOf(execPath));
  return readFeed(text, platform, isMacSigned);
}

/** The system's answer about the program's signature; "" without one. */
function signatureOf(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(CODESIGN, ['--display', '--verbose=2', program], { timeout: LIMIT, env: {} }, (problem, _out, stderr) => {
      resolve(problem === null ? stderr : '');
    });
  });
}
