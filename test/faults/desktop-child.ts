// Faults: a notification service in a process of its own, which prints what it shows.
// `node test/faults/desktop-child.ts ADDRESS`
import { startDesktop } from '../harness/fake-desktop.ts';

const [, , address = ''] = process.argv;
await startDesktop(address, ['actions'], {
  onShown: (shown) => console.log(`shown ${JSON.stringify(shown)}`),
});
console.log('ready');
