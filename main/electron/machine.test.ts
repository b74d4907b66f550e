// Test: the keychain's process in the desktop shell: the plain built file, a clean environment, one question.
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { electronMachine } from './machine.ts';

class FakeChild extends EventEmitter {
  readonly posted: unknown[] = [];
  readonly kill = vi.fn(() => true);
  postMessage = (message: unknown): void => void this.posted.push(message);
}
const children: FakeChild[] = [];
const fork = vi.fn((..._given: unknown[]) => {
  const child = new FakeChild();
  children.push(child);
  return child;
});
afterEach(() => void fork.mockClear());
const start = (environment: NodeJS.ProcessEnv = {}) => {
  const machine = electronMachine(
    { session: { fromPartition: () => ({}) }, utilityProcess: { fork } } as never,
    {
      machine: { environment },
      program: { built: '/opt/Barograph/resources/app.asar/dist' },
    } as never,
  );
  const helper = machine.startKeychain();
  return { helper, child: children.at(-1) as FakeChild };
};

test('it inherits no key, prints nothing and gets no arguments', () => {
  start({ BAROGRAPH_KEY: 'svc_live_planted', NODE_OPTIONS: '--inspect', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' });
  expect(fork).toHaveBeenCalledWith('/opt/Barograph/resources/app.asar.unpacked/dist/main/keychain.js', [], {
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' },
    stdio: 'ignore',
    serviceName: 'Barograph keys',
  });
});

test('a request is posted, the answer and the end are received, and it can be killed', () => {
  const { helper, child } = start();
  const received: unknown[] = [];
  helper.onReply((reply) => received.push(reply));
  helper.onEnd((why) => received.push(why));
  helper.send({ verb: 'get', service: 's', account: 'a' });
  expect(child.posted).toEqual([{ verb: 'get', service: 's', account: 'a' }]);
  child.emit('message', { verb: 'get', password: null });
  helper.kill();
  expect(child.kill).toHaveBeenCalledOnce();
  child.emit('error', 'FatalError');
  child.emit('exit', 1);
  expect(received).toEqual([
    { verb: 'get', password: null },
    'its process failed (FatalError)',
    'its process ended (1)',
  ]);
});
