// Renderer, webhooks: the fields by which a subscription or a target says what it wants. Bad input is refused where it was typed.

import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import type { State } from '../../../shared/domain/states.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { EVENT_NAMES, type EventName } from '../../../shared/wire/events.ts';
import { webhookText as messages } from '../../text/webhooks.ts';

interface ChecksProps<Value> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly problem: string | null;
  readonly onChange: (chosen: readonly Value[]) => void;
}

function Checks<Value extends string | number>({ label, options, chosen, problem, onChange }: ChecksProps<Value>) {
  return (
    <fieldset className="checks">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value),
              )
            }
          />
          {option.label}
        </label>
      ))}
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

export const EventChecks = (props: Pick<ChecksProps<EventName>, 'chosen' | 'problem' | 'onChange'>) => (
  <Checks
    {...props}
    label={messages.targets.eventsLabel}
    options={EVENT_NAMES.map((value) => ({ value, label: value }))}
  />
);
export const StateChecks = (props: Pick<ChecksProps<State>, 'chosen' | 'problem' | 'onChange'>) => (
  <Checks
    {...props}
    label={messages.targets.statesLabel}
    options={([0, 1, 2] as const).map((value) => ({ value, label: stateLabel(value) }))}
  />
);

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly placeholder?: string;
}

export function TextField({ label, value, problem, onChange, type = 'text', placeholder }: TextFieldProps) {
  return (
    <label className="text-field">
      <span>{label}</span>
      <input
        className="field"
        type={type}
        value={value}
        placeholder={placeholder}
        aria-invalid={problem !== null}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== null && (
        <span className="field-problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}

/** Symbols by commas or blanks. null: all. `bad` are no symbols. */
export function readSymbols(text: string): {
  readonly symbols: readonly string[] | null;
  readonly bad: readonly string[];
} {
  const given = text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(normalizeSymbol);
  const bad = given.filter((symbol) => !isSymbol(symbol));
  return { symbols: given.length === 0 ? null : [...new Set(given)], bad };
}
