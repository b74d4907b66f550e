// Main, host: the flags of `npm start`, the same for both shells.
import { Command } from 'commander';
import { z } from 'zod';
import { OPEN_FEEDS } from '../../shared/domain/price-feeds.ts';
import { whyBlocked } from '../../shared/lib/blocked-ports.ts';
import { FeedHostsSchema, type PriceFeedSettings } from '../../shared/settings/profiles.ts';
import { strict, UsageError } from './command-line.ts';
import { defaultDataFolder } from './data-folder.ts';

const FlagsSchema = z.object({
  /** The requested shell; without it the best that the machine has. */
  shell: z.enum(['node', 'electron'], '--shell is node or electron.').optional(),
  /** False: opens no window, only prints the address. */
  open: z.boolean(),
  hidden: z.boolean().default(false),
  /** 0: any free port. */
  port: z
    .string()
    .regex(/^\d{1,5}$/, '--port is a whole number from 0 to 65535.')
    .transform(Number)
    .refine((port) => port <= 65535, '--port is a whole number from 0 to 65535.')
    .refine((port) => whyBlocked(port) === null, {
      error: ({ input }) => `--port: ${whyBlocked(Number(input))}. Give another.`,
    })
    .optional(),
  dataDir: z.string().min(1, '--data-dir is the path of a folder.'),
  profile: z.string().min(1, '--profile is the name of a profile.').optional(),
  feed: z.enum(OPEN_FEEDS, `--feed is ${OPEN_FEEDS.join(' or ')}.`).optional(),
  feedHost: z
    .array(z.string())
    .transform((hosts) => Object.fromEntries(hosts.map((host) => host.split(/=(.*)/s).slice(0, 2))))
    .pipe(FeedHostsSchema)
    .optional(),
});

export interface StartFlags {
  readonly shell: 'node' | 'electron' | null;
  readonly open: boolean;
  /** A start at login: with a tray, no window opens until the user asks for one. */
  readonly hidden: boolean;
  readonly port: number | null;
  readonly dataFolder: string;
  readonly profile: string | null;
  /** Live prices that need no account; a missing profile for them is added. */
  readonly feed: PriceFeedSettings | null;
  /** Switches of Chromium, which Electron reads for itself. */
  readonly switches: readonly string[];
}

const SWITCHES_HELP =
  'Switches of Chromium for display, input, language and proxy, like --disable-gpu or --ozone-platform=wayland, are passed on to Electron.';

/**
 * Reads the arguments after the program's name.
 * @throws UsageError or CommanderError, which `exitCodeOf` turns into one line
 */
export function parseStartFlags(argv: readonly string[]): StartFlags {
  const command = strict(new Command('npm start --'))
    .description('Start Barograph.')
    .option('--shell <shell>', 'node or electron (default: the best that this machine has)')
    .option('--no-open', 'open no window; print the address only')
    .option('--hidden', 'open no window until one is asked for, as at login')
    .option(
      '--port <number>',
      'port of the node shell; 0 picks a free one (default: 4780, or a free one if that is taken)',
    )
    .option('--data-dir <folder>', 'where settings, ledger and archive live', defaultDataFolder())
    .option('--profile <name>', 'profile to show')
    .option('--feed <name>', `show live prices that need no account: ${OPEN_FEEDS.join(', ')}`)
    .option(
      '--feed-host <name=url>',
      'another address of the feed (rest, stream); may be given twice',
      (host: string, before: readonly string[] = []) => [...before, host],
    )
    .addHelpText('after', `\n${SWITCHES_HELP}`)
    .parse(
      argv.filter((argument) => !isPassedOn(argument)),
      { from: 'user' },
    );
  const flags = FlagsSchema.safeParse(command.opts());
  if (!flags.success) throw new UsageError(flags.error.issues[0]?.message ?? 'These arguments cannot be used.');
  const { shell, open, hidden, port, dataDir, profile, feed, feedHost } = flags.data;
  if (feed !== undefined && profile !== undefined)
    throw new UsageError('--feed has a profile of its own; leave --profile out.');
  if (feed === undefined && feedHost !== undefined) throw new UsageError('--feed-host needs --feed.');
  return {
    shell: shell ?? null,
    open,
    hidden,
    port: port ?? null,
    dataFolder: dataDir,
    profile: profile ?? null,
    feed: feed === undefined ? null : { name: feed, ...(feedHost === undefined ? {} : { hosts: feedHost }) },
    switches: argv.filter(isPassedOn),
  };
}

/**
 * A switch is passed on where it says how the window is drawn, typed into or read aloud, in which language, or which
 * proxy its requests take. Chromium has hundreds of others, and some take away the sandbox, the web's security or the
 * check of certificates, load code, or open a port to a debugger. Chromium obeys a switch before this program runs, so
 * none can be taken back: one that is not listed ends the start. `--disable-features` is not: it can name a protection.
 */
const PASSED_ON = new Set([
  // Display.
  'class',
  'disable-accelerated-2d-canvas',
  'disable-accelerated-video-decode',
  'disable-dev-shm-usage',
  'disable-font-subpixel-positioning',
  'disable-gpu',
  'disable-gpu-compositing',
  'disable-gpu-rasterization',
  'disable-gpu-vsync',
  'disable-lcd-text',
  'disable-smooth-scrolling',
  'disable-software-rasterizer',
  'enable-features',
  'enable-gpu-rasterization',
  'enable-smooth-scrolling',
  'force-color-profile',
  'force-dark-mode',
  'force-device-scale-factor',
  'force-high-contrast',
  'force-prefers-reduced-motion',
  'force_high_performance_gpu',
  'force_low_power_gpu',
  'gtk-version',
  'high-dpi-support',
  'ignore-gpu-blocklist',
  'ozone-platform',
  'ozone-platform-hint',
  'use-angle',
  'use-gl',
  'use-vulkan',
  // Input, and what reads the window aloud.
  'disable-pinch',
  'enable-wayland-ime',
  'force-renderer-accessibility',
  'touch-events',
  'wayland-text-input-version',
  // Language.
  'lang',
  // Proxy.
  'no-proxy-server',
  'proxy-auto-detect',
  'proxy-bypass-list',
  'proxy-pac-url',
  'proxy-server',
]);

/** True for `--name` and `--name=value`, the forms that Chromium reads. */
const isPassedOn = (argument: string): boolean => PASSED_ON.has(/^--([a-z][a-z0-9_-]*)(=|$)/.exec(argument)?.[1] ?? '');
