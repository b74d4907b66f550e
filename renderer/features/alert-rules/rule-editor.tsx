// Renderer: the editor of one rule. Whatever is wrong is said at its field as soon as one leaves it; nothing that was typed is lost.
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { REGIMES, regimeLabel } from '../../../shared/domain/regimes.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { zoneName } from '../../text/format.ts';
import { ruleText } from '../../text/rules.ts';
import { TIMESTAMP_FORMAT } from '../../text/timestamp-field.ts';
import { Icon } from '../../ui/icon.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { BacktestResult } from './backtest-result.tsx';
import { ChannelFields } from './channel-fields.tsx';
import { FormChecks, FormField } from './form-field.tsx';
import { HoursFields } from './hours-fields.tsx';
import { type Problems, type RuleDraft, ruleOf } from './rule-draft.ts';
import { ruleEdit } from './rule-edit.ts';

const { editor, events } = ruleText;

interface RuleEditorProps {
  /** As it was opened or last saved. */
  readonly first: RuleDraft;
  /** As it is typed by now. It outlives this editor: a look at another page loses nothing, but for a secret. */
  readonly draft: RuleDraft;
  /** It was opened just now, and is to be written in; not where one comes back to the page. */
  readonly takesFocus: boolean;
  /** Closes it; what is not saved is asked about before. */
  readonly onLeave: () => void;
  /** Closes it, whatever was written. */
  readonly onClose: () => void;
}

export function RuleEditor({ first, draft, takesFocus, onLeave, onClose }: RuleEditorProps) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const ruleViews = useApp((state) => state.features.alerting?.rules);
  const now = useWorldMinute();
  const heading = useId();
  const form = useRef<HTMLFormElement>(null);
  /** Fields that one has left; all of them once saving was tried. */
  const [left, setLeft] = useState<ReadonlySet<string> | 'all'>(new Set());
  const [said, setSaid] = useState('');
  const [tried, setTried] = useState<{ readonly rule: Rule; readonly turn: number } | null>(null);
  const saved = ruleViews?.find(({ id }) => id === draft.id)?.rule ?? null;
  const context = useMemo(
    () => ({ now, lists: watchlists.map(({ id }) => id), taken: ruleViews?.map(({ id }) => id) ?? [], saved }),
    [now, watchlists, ruleViews, saved],
  );
  const made = ruleOf(draft, context);
  const all: Problems = made.ok ? {} : made.error;
  const problems: Problems =
    left === 'all' ? all : Object.fromEntries(Object.entries(all).filter(([field]) => left.has(field)));
  // An end that is there keeps the zone in which it was typed.
  const endsZone = draft.ends.trim() === '' ? zone : draft.endsZone;
  const set = (more: Partial<RuleDraft>): void => {
    ruleEdit.write(more);
    setSaid('');
  };
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  useEffect(() => () => ruleEdit.write({ secret: '' }), []);
  useShortcuts('everywhere', { close: onLeave });
  /** A button is being pressed: what is said now must not push it away from under the pointer. */
  const isPressed = useRef(false);
  const leave = (field: string) => () => {
    const touch = (): void => setLeft((before) => (before === 'all' ? before : new Set([...before, field])));
    if (isPressed.current) window.addEventListener('pointerup', () => setTimeout(touch), { once: true });
    else touch();
  };
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      isPressed.current = event.type === 'pointerdown';
    };
    const kinds = ['pointerdown', 'pointerup', 'pointercancel'] as const;
    for (const kind of kinds) window.addEventListener(kind, press, true);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, press, true);
    };
  }, []);
  const text = (field: keyof RuleDraft, label: string, more: Partial<Parameters<typeof FormField>[0]> = {}) => (
    <FormField
      label={label}
      value={String(draft[field] ?? '')}
      problem={problems[field]}
      onChange={(value) => set({ [field]: value })}
      onBlur={leave(field)}
      {...more}
    />
  );
  const refuse = (): void => {
    setLeft('all');
    setSaid(editor.invalidFields(Object.keys(all).length));
    // Where the first of them is.
    requestAnimationFrame(() =>
      form.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], .al-checks:has(.al-cure:not(:empty)) input')
        ?.focus(),
    );
  };
  const save = async (): Promise<void> => {
    if (!made.ok) return refuse();
    const rule = made.value;
    const answer = await intents.ask('rules.save', { rule });
    if (!answer.ok) return setSaid(answer.error);
    if (draft.secret !== '') {
      const saving = await intents.ask('channel.secret', { rule: rule.id, secret: draft.secret });
      if (!saving.ok) return setSaid(saving.error);
    }
    const more = { id: rule.id, secret: '' };
    ruleEdit.write(more);
    ruleEdit.saved({ ...draft, ...more });
    setSaid(editor.saved);
  };
  const runBacktest = (): void => {
    if (made.ok) setTried((before) => ({ rule: made.value, turn: (before?.turn ?? 0) + 1 }));
    else refuse();
  };
  const isAsSaved =
    made.ok && saved !== null && JSON.stringify(saved) === JSON.stringify(made.value) && draft.secret === '';

  return (
    <aside className="panel al-editor" aria-labelledby={heading}>
      <div className="head">
        <h2 id={heading} className="ell">
          {first.id === null ? editor.newRule : editor.editing(first.name)}
        </h2>
        <button
          type="button"
          className="btn quiet square right"
          aria-label={en.close}
          title={`${en.close} (Esc)`}
          onClick={onLeave}
        >
          <Icon name="close" />
        </button>
      </div>
      <form
        ref={form}
        className="scroll al-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {text('name', editor.name)}
        <FormChecks
          label={editor.events}
          chosen={draft.events}
          options={EVENT_NAMES.map((value) => ({ value, label: events[value] }))}
          problem={problems.events}
          onChange={(chosen) => {
            set({ events: chosen });
            leave('events')();
          }}
        />
        <Scope draft={draft} problems={problems} set={set} leave={leave} />
        <div className="al-fields">
          <div className="al-field">
            <span>{editor.minState}</span>
            <SegmentedControl
              label={editor.minState}
              value={draft.minState}
              options={([0, 1, 2] as const).map((value: State) => ({ value, label: stateLabel(value) }))}
              onChange={(minState) => set({ minState })}
            />
          </div>
          {text('confidence', editor.confidence, { hint: editor.confidenceUnit })}
        </div>
        <FormChecks
          label={editor.regimes}
          chosen={draft.regimes}
          options={[...new Set([...REGIMES, ...draft.regimes])].map((value) => ({ value, label: regimeLabel(value) }))}
          problem={problems.regimes}
          onChange={(regimes) => set({ regimes })}
        />
        <div className="al-field">
          <span>{editor.hours}</span>
          <SegmentedControl
            label={editor.hours}
            value={draft.hours.kind}
            options={(['always', 'session', 'daily'] as const).map((value) => ({
              value,
              label: editor.hourKinds[value],
            }))}
            onChange={(kind) => set({ hours: { ...draft.hours, kind } })}
          />
        </div>
        <HoursFields hours={draft.hours} problems={all} onChange={(hours) => set({ hours })} />
        <div className="al-fields">
          {text('holdUp', editor.holdUp)}
          {text('holdDown', editor.holdDown)}
        </div>
        {text('ends', editor.ends(zoneName(endsZone)), {
          hint: TIMESTAMP_FORMAT,
          onChange: (ends) => set({ ends, endsZone }),
        })}
        <ChannelFields draft={draft} problems={problems} isAsSaved={isAsSaved} set={set} leave={leave} />
        {tried !== null && <BacktestResult key={tried.turn} rule={tried.rule} />}
      </form>
      <div className="al-why-do">
        <button type="button" className="btn primary" onClick={() => void save()}>
          {editor.save}
        </button>
        <button type="button" className="btn" onClick={runBacktest}>
          {editor.try}
        </button>
        <span className="grow cond al-said" role="status">
          {said}
        </span>
        <button type="button" className="btn quiet" onClick={onClose}>
          {editor.cancel}
        </button>
      </div>
    </aside>
  );
}

interface FieldsProps {
  readonly draft: RuleDraft;
  readonly problems: Problems;
  readonly set: (more: Partial<RuleDraft>) => void;
  readonly leave: (field: string) => () => void;
}

function Scope({ draft, problems, set, leave }: FieldsProps) {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const gone = draft.lists.filter((id) => !watchlists.some((list) => list.id === id));
  return (
    <>
      <div className="al-field">
        <span>{editor.scope}</span>
        <SegmentedControl
          label={editor.scope}
          value={draft.scope}
          options={(['watched', 'lists', 'symbols', 'all'] as const).map((value) => ({
            value,
            label: editor.scopes[value],
          }))}
          onChange={(scope) => set({ scope })}
        />
      </div>
      {draft.scope === 'lists' && (
        <FormChecks
          label={editor.lists}
          chosen={draft.lists}
          options={[
            ...watchlists.map(({ id, name }) => ({ value: id, label: name })),
            ...gone.map((id) => ({ value: id, label: editor.listGone(id) })),
          ]}
          problem={problems.lists}
          onChange={(lists) => {
            set({ lists });
            leave('lists')();
          }}
        />
      )}
      {draft.scope === 'symbols' && (
        <FormField
          label={editor.symbols}
          value={draft.symbols}
          problem={problems.symbols}
          rows={2}
          onChange={(symbols) => set({ symbols })}
          onBlur={leave('symbols')}
        />
      )}
    </>
  );
}
