// Main, core: logs what the flow does, for `BAROGRAPH_LOG=debug`. Without it nothing of this is written.
import type { CoreModule } from './module.ts';
import type { Logger } from './ports.ts';

export const createDebugLog = (logger: Logger): CoreModule => ({
  on: {
    recorded: ({ source, added, merged }) =>
      logger.debug({ source, added: added.map(({ event }) => event.eventId), merged }, 'recorded'),
    streamPhaseChanged: (phase) => logger.debug({ phase: phase.name }, 'the event stream'),
    caughtUp: ({ gaps }) => logger.debug({ gaps: gaps.length }, 'the log was read to its end'),
    signalsPolled: ({ outcome, rows }) =>
      logger.debug({ rows: rows.length, ...(outcome.ok ? outcome.value : { problem: outcome.error }) }, 'polled'),
  },
});
