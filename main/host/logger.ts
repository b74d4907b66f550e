// Main, host: the log of a run: JSON lines in a file, warnings also on stderr. Never contains keys.
import { pino } from 'pino';
import { z } from 'zod';
import type { Logger } from '../core/ports.ts';
import { oneLine } from './command-line.ts';
import { openLogFile } from './log-file.ts';
import { withoutSecrets } from './secrets.ts';

const WARN = 40;
const LineSchema = z.object({ level: z.number(), msg: z.string(), profile: z.string().optional() });

/** Fields whose value is never written, whatever its content. */
const HIDDEN = ['key', 'token', 'session', 'secret', 'password', 'passphrase', 'control', 'authorization'].flatMap(
  (name) => [name, `*.${name}`],
);

export interface ClosableLogger extends Logger {
  /** Later entries are printed, not written. */
  close(): void;
}

/**
 * @param say prints one line for the user
 * @param level debug also logs, and prints, what only a developer wants to know
 */
export function createLogger(
  dataFolder: string,
  say: (line: string) => void,
  level: 'info' | 'debug' = 'info',
): ClosableLogger {
  const file = openLogFile(dataFolder);
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: HIDDEN, censor: '[hidden]' } },
    {
      write(line: string) {
        const clean = withoutSecrets(line);
        file.write(clean);
        if (level === 'debug') return say(clean.trimEnd());
        const parsed = LineSchema.safeParse(JSON.parse(clean));
        if (parsed.success && parsed.data.level >= WARN) say(sentence(parsed.data));
      },
    },
  );
  return Object.assign(logger, { close: file.close });
}

const sentence = ({ msg, profile }: z.infer<typeof LineSchema>): string =>
  oneLine(profile === undefined ? msg : `${profile}: ${msg}`);

/** The same log; each line names the profile. */
export function ofProfile(logger: Logger, profile: string): Logger {
  return {
    debug: (fields, message) => logger.debug({ profile, ...fields }, message),
    info: (fields, message) => logger.info({ profile, ...fields }, message),
    warn: (fields, message) => logger.warn({ profile, ...fields }, message),
    error: (fields, message) => logger.error({ profile, ...fields }, message),
  };
}
