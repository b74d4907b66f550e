// Test harness: a core as the running app of a folder: its socket for commands and run.json.

import { connect } from 'node:net';
import { announceApp } from '../../main/host/announce-app.ts';
import type { Application } from '../../main/host/application.ts';
import { readRunFile } from '../../main/host/run-file.ts';
import { channels } from '../../shared/channels/channels.ts';
import { createDispatch } from '../../shared/channels/ends.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { CoreRig } from './core-rig.ts';
import { eventually } from './eventually.ts';

/** @returns a function that ends it */
export async function announceCore(rig: CoreRig, dataFolder: string, clock: Clock): Promise<Cancel> {
  const faults: unknown[] = [];
  // Of the application's own channels a command may call none.
  const dispatch = createDispatch(channels, rig.core.handlers as never, (_name, error) => faults.push(error));
  const application = {
    dataFolder,
    shown: 'sandbox',
    sandbox: null,
    core: (profile: string) => (profile === 'sandbox' ? { dispatch, attach: rig.core.attach } : null),
    monitor: (profile: string) => (profile === 'sandbox' ? rig.core : null),
    failures: () => [],
    onTrayChanged: () => () => undefined,
  } as unknown as Application;
  const end = announceApp(application, {
    clock,
    address: null,
    openWindow: () => null,
    warn: (line) => faults.push(line),
  });
  await eventually(async () => {
    const socket = connect(readRunFile(dataFolder)?.socket?.path ?? '');
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.destroy();
  });
  return () => {
    end();
    if (faults.length > 0) throw new Error(`The app had errors: ${faults.map(String).join('; ')}`);
  };
}
