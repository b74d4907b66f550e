// Faults: shows one notification and records it, in a process of its own.
// `node test/faults/notification-child.ts ADDRESS FOLDER ID [killed]`; `killed`: it ends between the two.
import { createDesktopNotifier } from '../../main/host/desktop/desktop-notifier.ts';
import { openNotificationLog, type ShellNotifier } from '../../main/host/notification-log.ts';
import { systemClock } from '../../main/host/system-clock.ts';

const [, , address = '', folder = '', id = '', killed] = process.argv;
const desktop = await createDesktopNotifier(address);
const shell: ShellNotifier = {
  status: desktop.status,
  async show(request, before) {
    const outcome = await desktop.show(request, before);
    if (killed === 'killed') process.kill(process.pid, 'SIGKILL');
    return outcome;
  },
};
const log = openNotificationLog(folder, systemClock);
// Each attempt has another text, as it may in life: dunst stacks equal ones in any case.
const body = `attempt ${process.pid}`;
const request = { id, title: `${id} is High Risk`, body, urgency: 'critical', silent: true, symbol: null } as const;
const { tier } = await log.notifierOf('live', shell).show(request);
console.log(tier);
await log.close();
await desktop.close();
