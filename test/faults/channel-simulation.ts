// Faults: one life of a core whose channels fail, answer late, or accept and break off, while it is stopped and
// started, and alerts are acknowledged in a window or by a phone that presses twice.
// The property: no High Risk without an accepted message or an escalation, none under two ids, no answer lost, and no
// step after somebody dealt with it.
import { createHash } from 'node:crypto';
import type { FetchLike, SettingsStore } from '../../main/core/ports.ts';
import type { Settings } from '../../main/core/profiles/settings.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { DEFAULT_RULE } from '../../shared/settings/alert-rules.ts';
import { type CoreRig, createCoreRig } from '../harness/core-rig.ts';
import { folderInMemory } from '../harness/folders.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { createWireService } from '../harness/wire-service.ts';
import { createChance } from './core-simulation-random.ts';

/** no-escalation: the rule has no steps. no-second-attempt: a refused message counts as accepted. */
export type ChannelMutant = 'no-escalation' | 'no-second-attempt' | 'forgets-answers';

export interface ChannelLife {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly accepted: number;
  readonly answered: number;
  readonly stops: number;
}

const SYMBOLS = ['SPY', 'QQQ', 'IWM', 'AAPL'] as const;
const STEP_MINUTES = 2;
const MINUTE = 60_000;
type Mood = 'well' | 'refuses' | 'is late' | 'breaks off';

interface Message {
  readonly at: number;
  readonly sequence: string;
  readonly buttons: readonly string[];
}

const settingsOf = (mutant: ChannelMutant | null): Settings => ({
  ...DEFAULT_SETTINGS,
  alerting: {
    rules: [
      {
        ...DEFAULT_RULE,
        channels: ['phone'],
        escalation: {
          hours: { kind: 'always' },
          steps: mutant === 'no-escalation' ? [] : [{ after_minutes: STEP_MINUTES, channels: ['boss'] }],
        },
      },
    ],
    channels: ['phone', 'boss'].map((id) => ({
      id,
      name: id,
      destination: { kind: 'ntfy', url: `https://ntfy.example/${id}`, answers: 'https://ntfy.example/answers' },
    })),
    quiet: null,
  },
});

const sequenceOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

export async function liveWithChannels(seed: number, mutant: ChannelMutant | null = null): Promise<ChannelLife> {
  const { chance, pick, upTo, random } = createChance(seed);
  const clock = createManualClock();
  const service = createWireService(clock);
  const folder = folderInMemory();
  const accepted = { phone: [] as Message[], boss: [] as Message[] };
  /** When each event was dealt with first, by its notification's event id. */
  const answered: { readonly event: number; readonly at: number }[] = [];
  let mood: Mood = 'well';
  let stops = 0;

  const fetch: FetchLike = async (url, init = {}) => {
    if (new URL(url).host !== 'ntfy.example') return service.fetch(url, init);
    const now: Mood = mood;
    if (now === 'refuses') return new Response(null, { status: mutant === 'no-second-attempt' ? 200 : 503 });
    const body = JSON.parse(String(init.body));
    // Of a message that says that somebody dealt with it, nothing is asked.
    if (body.priority !== 1) {
      const buttons = (body.actions ?? []).map((action: { body: string }) => action.body);
      accepted[body.topic as 'phone' | 'boss'].push({ at: clock.now(), sequence: body.sequence_id, buttons });
    }
    if (now === 'breaks off') throw new TypeError('terminated');
    if (now === 'is late')
      await new Promise<void>((resolve, reject) => {
        clock.after(5_000 + upTo(10_000), resolve);
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    return Response.json({ id: 'x' });
  };
  let settings = settingsOf(mutant);
  const store: SettingsStore = {
    read: () => settings,
    change(job) {
      settings = job(settings);
    },
  };
  let core: CoreRig | null = null;
  const start = async (): Promise<CoreRig> => {
    const ports = { fetch, settings: store };
    const rig = createCoreRig({ clock, service, folder: folder.path, random, ports });
    await rig.core.start();
    core = rig;
    return rig;
  };
  const stop = async (): Promise<void> => {
    if (core === null) return;
    const { core: monitor } = core;
    core = null;
    const stopping = monitor.stop();
    await clock.advance(2_400);
    await stopping;
    stops += 1;
  };
  const alerts = () => core?.snapshot().alerts ?? [];
  const press = (): void => {
    const buttons = accepted.phone.concat(accepted.boss).flatMap((message) => message.buttons);
    if (buttons.length === 0 || core === null) return;
    const [index = '', token = ''] = (buttons[upTo(buttons.length)] ?? '').split(':');
    const before = alerts();
    const one = { id: `m${upTo(50)}`, token, who: 'ann', channelName: 'phone', answer: 'acknowledge' } as const;
    if (index !== '0') return;
    const said = ['phone', 'boss'].map((channel) => core?.core.channelAnswers.answer({ ...one, channel }));
    if (!said.includes('Acknowledged.')) return;
    const now = alerts();
    for (const { ledger_id: event, acked_at } of now)
      if (acked_at !== null && before.find((alert) => alert.ledger_id === event)?.acked_at === null)
        answered.push({ event, at: clock.now() });
    if (mutant === 'forgets-answers')
      core.core.actions.acknowledge(
        now.map((alert) => alert.ledger_id),
        false,
      );
  };
  const acknowledge = (): void => {
    const open = alerts().filter((alert) => alert.acked_at === null);
    const one = open[upTo(open.length)];
    if (one === undefined || core === null) return;
    core.core.actions.acknowledge([one.ledger_id], true);
    answered.push({ event: one.ledger_id, at: clock.now() });
  };
  const states = new Map<string, 0 | 2>();
  const emit = (): void => {
    const symbol = pick(SYMBOLS);
    const from = states.get(symbol) ?? 0;
    states.set(symbol, from === 0 ? 2 : 0);
    service.emit(symbol, from === 0 ? 2 : 0, { from });
  };

  try {
    await start();
    await clock.advance(2_000);
    for (let step = 0; step < 25; step += 1) {
      const actions = [emit, emit, press, press, acknowledge] as const;
      pick(actions)();
      if (chance(0.3)) mood = pick(['well', 'refuses', 'is late', 'breaks off']);
      if (chance(0.1)) await stop();
      await clock.advance(1_000 + upTo(chance(0.2) ? 3 * MINUTE : 30_000));
      if (core === null && chance(0.7)) await start();
    }
    mood = 'well';
    const rig = core ?? (await start());
    await clock.advance(10 * MINUTE);
    return {
      seed,
      broken: judge(rig, accepted, answered),
      accepted: accepted.phone.length,
      answered: answered.length,
      stops,
    };
  } finally {
    await stop();
    folder.remove();
  }
}

/** @returns each promise that this life broke */
function judge(
  rig: CoreRig,
  accepted: Readonly<Record<'phone' | 'boss', readonly Message[]>>,
  answered: readonly { readonly event: number; readonly at: number }[],
): string[] {
  const broken: string[] = [];
  const { alerts } = rig.snapshot();
  const known = new Set<string>();
  const active = new Map(rig.snapshot().rows.map(({ symbol, signal }) => [symbol, signal?.state]));
  for (const { dispatch, transition, ledger_id, acked_at } of alerts) {
    if (dispatch === null || transition.to_state !== 2) continue;
    const name = `${transition.symbol} of ${transition.occurred_at}`;
    const sequence = sequenceOf(dispatch.notification_id);
    known.add(sequence);
    const toPhone = accepted.phone.filter((message) => message.sequence === sequence);
    const toBoss = accepted.boss.filter((message) => message.sequence === sequence);
    if (toPhone.length === 0) broken.push(`${name}: no message`);
    const newest = alerts.find((alert) => alert.transition.symbol === transition.symbol);
    const isOpen = acked_at === null && active.get(transition.symbol) === 2 && newest?.ledger_id === ledger_id;
    if (isOpen && toBoss.length === 0) broken.push(`${name}: not escalated`);
  }
  for (const { sequence } of [...accepted.phone, ...accepted.boss])
    if (!known.has(sequence)) broken.push(`a message under another id: ${sequence}`);
  for (const { event, at } of answered) {
    const alert = alerts.find(({ ledger_id }) => ledger_id === event);
    if (alert !== undefined && alert.acked_at === null) broken.push(`${event}: the answer is lost`);
    const alone = alert?.dispatch !== null && alert?.dispatch !== undefined;
    const sequence = alone ? sequenceOf(alert.dispatch?.notification_id ?? '') : '';
    const others = alerts.filter(({ dispatch }) => dispatch?.notification_id === alert?.dispatch?.notification_id);
    if (others.length > 1) continue;
    // A message that was on its way may arrive a moment later.
    const late = accepted.boss.filter((message) => message.sequence === sequence && message.at > at + 16_000);
    if (late.length > 0) broken.push(`${event}: a step after somebody dealt with it`);
  }
  return broken;
}
