// Pure: the English of messages about the application and its shells.
import { dateOf } from '../../../lib/time.ts';
import { dataSize, dayAndYear, span, weekdayTime, wholePercent } from '../../format.ts';

interface ElectronProgress {
  version: string;
  /** Bytes. */
  received: number;
  total: number | null;
  /** Bytes per second. */
  rate: number;
}

export const hostMessages = {
  'profile.stale': ({ newest }: { newest: string }) =>
    `No price is current: the newest is of ${dayAndYear(Date.parse(newest))}.`,

  // The path of requests: their proxy, and the service's certificate.
  'network_path.pending': () => 'being checked',
  'network_path.unknown': () => 'not known',
  'proxy.none': () => 'direct',
  'proxy.environment': ({ host }: { host: string }) => `${host}, by the environment`,
  'proxy.system': ({ proxy }: { proxy: string }) => `${proxy}, by the system`,
  'proxy.socks': ({ host }: { host: string }) => `the SOCKS proxy ${host}, which is not supported`,
  'proxy.unknown': ({ why }: { why: string }) => `not known: ${why}`,
  'proxy.excepted': () => 'direct, by NO_PROXY',
  'proxy.loopback': () => 'direct, loopback',
  'certificate.loopback': () => 'loopback',
  'certificate.local': () => 'none: the bytes stay on this computer',
  'certificate.none': () => 'none: http',
  'certificate.proxied': () => 'not seen: the requests go through a proxy',
  'certificate.late': () => 'not seen: no answer in time',
  'certificate.bad': ({ error }: { error: string }) => `not valid: ${error}`,
  'certificate.issued': ({ issuer, until }: { issuer: string | null; until: number | null }) =>
    `issued by ${issuer ?? 'an issuer without a name'}${until === null ? '' : `, valid until ${dateOf(until)}`}`,
  'notifier.no_session': () => 'There is no D-Bus session on this machine.',
  'notifier.goes_to': ({ name }: { name: string }) => `Notifications go to ${name}.`,
  'notifier.goes_to_system': () => 'Notifications go to this system.',
  'notifier.silent': ({ why }: { why: string }) => `The notification service does not answer (${why}).`,
  'notifier.none_on_desktop': ({ why }: { why: string }) => `Nothing on this desktop shows notifications (${why}).`,
  'notifier.none_on_system': () => 'This system shows no notifications.',
  'notifier.failed': ({ why, remedy }: { why: string; remedy: string }) => `${why} ${remedy}`.trim(),
  'notifier.not_confirmed': () => 'The system did not confirm the last notification.',
  'notifier.refused': ({ why }: { why: string }) => `The system refused the last notification (${why}).`,
  'notifier.allow_on_mac': () => 'Allow Barograph in System Settings, Notifications.',
  'notifier.allow_on_windows': () => 'Allow Barograph in Settings, System, Notifications, and turn off Do not disturb.',

  'app.ending': () => 'Barograph is quitting.',
  'profile.unknown': ({ name }: { name: string }) => `There is no profile ${name} any more.`,
  'profile.exists': ({ name }: { name: string }) => `There is a profile ${name} already. Give another name.`,
  'profile.shown_here': ({ name }: { name: string }) =>
    `This window shows ${name}. Do it in the window of another profile.`,
  'profile.last': ({ name }: { name: string }) => `${name} is the only profile that is on.`,
  'profile.not_added': ({ name, why }: { name: string; why: string }) => `${name} was not added. ${why}`,
  'profile.not_opened': ({ name, why }: { name: string; why: string }) => `${name} cannot be watched. ${why}`,
  'profile.not_running': ({ name }: { name: string }) => `${name} is not watched here. Turn it on first.`,
  'profile.not_here': ({ name }: { name: string }) => `The profile ${name} does not run here.`,
  'profile.invalid': () => 'This cannot be a profile.',
  'profile.in_use': ({ name, holder }: { name: string; holder: string }) =>
    `The profile ${name} is in use by another program (${holder}).`,
  'profile.key_left': ({ why }: { why: string }) => `Its key could not be deleted. ${why}`,
  'profile.key_not_deleted': ({ why }: { why: string }) => `Its key could not be deleted. ${why} Nothing was removed.`,

  /** Titles of the notification about the worst problem of the data folder. */
  'files.notification': () => 'Barograph: a file needs you',
  'profile.notification': () => 'Barograph: a profile is not watched',
  'files.unusable': ({ found, cure }: { found: string; cure: string }) =>
    `${found}. Alerts are still notified. ${cure}`,

  'settings.damaged': ({ why }: { why: string }) =>
    `settings.json cannot be used (${why}). The last good settings stay in use. Correct the file, or change any setting: that sets it aside.`,
  'settings.newer': ({ version }: { version: number }) =>
    `settings.json has version ${version}: a newer Barograph wrote it. This one does not change it; the last settings that it knows stay in use.`,
  'settings.older': ({ version }: { version: number }) =>
    `settings.json has version ${version}: an older Barograph replaced yours by it. The last good settings are used again. Change any setting to keep them: that sets the older file aside.`,
  'settings.unreadable': ({ why }: { why: string }) =>
    `settings.json cannot be read (${why}). The last good settings stay in use. See that it is a file, and that you may read it.`,
  'settings.wrong_symbols': ({ symbols }: { symbols: string }) =>
    `settings.json has in its watchlists what is no symbol: ${symbols}. All others are watched.`,
  'settings.set_aside': ({ name }: { name: string }) =>
    `settings.json held what could not be used. It was kept as ${name}, and written again with the settings in use.`,
  'settings.restored': () => 'settings.json was gone. It was written again from the last good settings.',
  'settings.not_restored': ({ why }: { why: string }) =>
    `settings.json is gone and could not be written again: ${why}. The last good settings stay in use.`,
  'settings.lost': ({ profiles }: { profiles: string }) =>
    `settings.json was gone, and there is no copy of it. The default settings are used. There is data of these profiles: ${profiles}. Add those that are missing.`,

  'command.unreadable': () => 'The running app does not understand this request.',
  'command.no_channel': ({ name }: { name: string }) => `Commands cannot call ${name}.`,
  'command.no_secret': () => 'The secret of run.json is needed.',

  'shell.not_here': () => 'The desktop application can do this. This is Barograph in a browser.',
  'shell.mac_dock': () => 'On a Mac it goes on in the dock.',
  'shell.no_tray': () => 'This desktop shows no tray icons. Watching goes on as long as a window is open.',
  'shell.tray_not_stored': ({ why }: { why: string }) => `The tray setting could not be saved: ${why}`,
  'shell.login_failed': ({ why }: { why: string }) => `The system refused it: ${why}`,
  'shell.login_not_installed': () => 'Only an installed Barograph starts at login; this one runs from its sources.',
  'shell.login_no_home': () => 'There is no home folder to write the entry to.',
  'shell.foreign_page': () => 'This page may not ask Barograph anything.',
  'shell.call_without_name': () => 'A call has a name.',
  'electron.connecting': ({ version }: { version: string }) => `Electron ${version}: connecting.`,
  'electron.waiting': ({ version }: { version: string }) => `Electron ${version}: another start is fetching it.`,
  'electron.loading': ({ version, received, total, rate }: ElectronProgress) =>
    `Electron ${version}: ${dataSize(received)}${total === null ? '' : ` of ${dataSize(total)} (${wholePercent((100 * received) / total)} %)`}, ${dataSize(rate)}/s${total === null || rate === 0 ? '' : `, ${span(((total - received) * 1_000) / rate)} left`}.`,
  'electron.unpacking': ({ version }: { version: string }) => `Electron ${version}: unpacking.`,
  'electron.ready': ({ version }: { version: string }) => `Electron ${version} is here: the next start opens it.`,
  'electron.failed': ({ version, why, retryAt }: { version: string; why: string; retryAt: number }) =>
    `Electron ${version} could not be fetched: ${why}. The first start after ${weekdayTime(retryAt, 'local')} tries again; --shell electron tries at once.`,
  'window.not_loaded': ({ profile, why }: { profile: string; why: string }) =>
    `The window of ${profile} could not be loaded (${why}). Watching goes on; close it and open it again.`,
  'window.crashed': ({ profile, reason }: { profile: string; reason: string }) =>
    `The window of ${profile} crashed (${reason}) and was loaded again. Watching went on.`,
  'window.crashed_again': ({ profile, reason }: { profile: string; reason: string }) =>
    `The window of ${profile} crashed again (${reason}) and is closed. Watching goes on; open it again.`,
  'window.unresponsive': ({ profile }: { profile: string }) =>
    `The window of ${profile} does not answer. Watching goes on.`,
  'window.helper_ended': ({ type, reason }: { type: string; reason: string }) =>
    `A helper process ended (${type}, ${reason}). Watching goes on.`,
  'window.program_error': ({ why }: { why: string }) => `Barograph failed in itself (${why}). Watching goes on.`,
  'update.as_installed': () => 'It is updated the way it was installed.',
  'update.no_feed': () => 'This build has no update address.',
  'update.checking': () => 'Looking for a newer version.',
  'update.current': () => 'This is the newest version.',
  'update.available': ({ version }: { version: string }) =>
    `Version ${version} is available. This build is not signed, so it cannot install updates by itself.`,
  'update.loading': ({ version }: { version: string }) => `Version ${version} is downloading.`,
  'update.ready': ({ version }: { version: string }) =>
    `Version ${version} is ready. It is installed when Barograph quits.`,
  'update.failed': ({ why }: { why: string }) => `The update failed: ${why}`,
  'update.none_ready': () => 'There is no update that could be installed.',
};
