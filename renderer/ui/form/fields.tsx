// Renderer: the fields of a form, bound by name: label, control, and the error below it.
import { type InputHTMLAttributes, type ReactNode, useId, useRef } from 'react';
import { type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { texts } from '../../../shared/text/texts.ts';
import { useApp } from '../../store/store.ts';
import { SegmentedControl } from '../segmented-control.tsx';
import { FieldProblem, type SchemaControl } from './form.tsx';

export interface BoundField<Values extends FieldValues, Value, Output> {
  readonly control: SchemaControl<Values, Output>;
  readonly name: FieldPathByValue<Values, Value>;
}

/** The properties that make an input element the field of that name. */
export function useTextInput<Values extends FieldValues, Output>(
  { control, name }: BoundField<Values, string | null, Output>,
  onEdit?: () => void,
) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const problem = fieldState.error?.message;
  // The press that ends an edit may remove the field or rename it, as in a row of a list.
  const latest = useRef(field);
  latest.current = field;
  const input = {
    id,
    ref: field.ref,
    value: (field.value as string | null) ?? '',
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      field.onChange(event.target.value);
      onEdit?.();
    },
    onBlur: ({ currentTarget }: { readonly currentTarget: Node }) =>
      afterPress(() => {
        if (currentTarget.isConnected) latest.current.onBlur();
      }),
  };
  return { id, input, problem };
}

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoFocus' | 'className' | 'inputMode' | 'maxLength' | 'placeholder' | 'type'
>;

/** The properties of the field that takes the focus when it is mounted, and when its dialog opens. */
export const focusFirst = (isFirst: boolean) => (isFirst ? { autoFocus: true, 'data-focus-first': true } : {});

interface TextFieldProps<Values extends FieldValues, Output>
  extends BoundField<Values, string | null, Output>,
    InputProps {
  readonly label: string;
  /** The label is for screen readers only: a heading is above. */
  readonly isSpoken?: boolean;
  /** Takes twice its share of a row. */
  readonly isWide?: boolean;
  /** Number of lines, if more than one. */
  readonly rows?: number;
  /** Suggestions while typing. */
  readonly suggestions?: readonly string[];
  readonly onEdit?: () => void;
}

/** A text field. A secret can be entered only while the core is there. */
export const TextField = <Values extends FieldValues, Output>(props: TextFieldProps<Values, Output>) =>
  props.type === 'password' ? (
    <WhileConnected>
      <TextInput {...props} />
    </WhileConnected>
  ) : (
    <TextInput {...props} />
  );

function TextInput<Values extends FieldValues, Output>(props: TextFieldProps<Values, Output>) {
  const {
    control,
    name,
    label,
    isSpoken = false,
    isWide = false,
    rows,
    suggestions,
    className = '',
    autoFocus = false,
    onEdit,
    ...rest
  } = props;
  const { id, input, problem } = useTextInput({ control, name }, onEdit);
  return (
    <div className={isWide ? 'form-field wide' : 'form-field'}>
      <label htmlFor={id} className={isSpoken ? 'spoken' : undefined}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...rest}
          {...input}
          {...focusFirst(autoFocus)}
          className={`field ${className}`}
          list={suggestions && `${id}-list`}
        />
      ) : (
        <textarea {...input} {...focusFirst(autoFocus)} className="field" rows={rows} placeholder={rest.placeholder} />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <FieldProblem id={id}>{problem}</FieldProblem>
    </div>
  );
}

interface CheckFieldProps<Values extends FieldValues, Output> extends BoundField<Values, boolean, Output> {
  readonly children: ReactNode;
}

export function CheckField<Values extends FieldValues, Output>({
  control,
  name,
  children,
}: CheckFieldProps<Values, Output>) {
  const { field } = useController({ control, name });
  return (
    <label className="form-check">
      <input
        ref={field.ref}
        type="checkbox"
        checked={field.value as boolean}
        onChange={(event) => field.onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface Option<Value> {
  readonly value: Value;
  readonly label: ReactNode;
}
interface OptionsProps<Values extends FieldValues, Value, Chosen, Output> extends BoundField<Values, Chosen, Output> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
}

/** A field for any number of options; the value has them in the order of the options. */
export function ChecksField<Values extends FieldValues, Value extends string | number, Output>({
  control,
  name,
  label,
  options,
}: OptionsProps<Values, Value, readonly Value[], Output>) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const chosen = field.value as readonly Value[];
  const toggle = (value: Value): void =>
    field.onChange(options.map((each) => each.value).filter((each) => (each === value) !== chosen.includes(each)));
  return (
    <fieldset className="form-field form-checks">
      <legend>{label}</legend>
      <div>
        {options.map(({ value, label: text }, index) => (
          <label key={value}>
            <input
              ref={index === 0 ? field.ref : undefined}
              type="checkbox"
              checked={chosen.includes(value)}
              aria-describedby={fieldState.error === undefined ? undefined : `${id}-problem`}
              onChange={() => toggle(value)}
              onBlur={() => afterPress(field.onBlur)}
            />
            {text}
          </label>
        ))}
      </div>
      <FieldProblem id={id}>{fieldState.error?.message}</FieldProblem>
    </fieldset>
  );
}

/** A field for one of a few options, all visible. */
export function SegmentedField<Values extends FieldValues, Value extends string | number, Output>({
  control,
  name,
  label,
  options,
  isSpoken = false,
  onEdit,
}: BoundField<Values, string | number, Output> & {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly isSpoken?: boolean;
  readonly onEdit?: () => void;
}) {
  const { field } = useController({ control, name });
  const choice = (
    <SegmentedControl
      label={label}
      options={options}
      value={field.value as Value}
      onChange={(value) => {
        field.onChange(value);
        onEdit?.();
      }}
    />
  );
  if (isSpoken) return choice;
  return (
    <div className="form-field">
      <span className="form-label">{label}</span>
      {choice}
    </div>
  );
}

/** A field for one of a few options, as the platform's select element. */
export function SelectField<Values extends FieldValues, Value extends string, Output>({
  control,
  name,
  label,
  options,
  onEdit,
}: OptionsProps<Values, Value, string, Output> & { readonly onEdit?: () => void }) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        ref={field.ref}
        className="field"
        value={field.value as string}
        aria-invalid={fieldState.invalid}
        aria-describedby={fieldState.invalid ? `${id}-problem` : undefined}
        onChange={(event) => {
          field.onChange(event.target.value);
          onEdit?.();
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldProblem id={id}>{fieldState.error?.message}</FieldProblem>
    </div>
  );
}

interface NumberFieldProps<Values extends FieldValues, Output> extends BoundField<Values, string | null, Output> {
  readonly label: string;
  readonly unit: string;
  /** The label is above the field, instead of beside it. */
  readonly isStacked?: boolean;
  readonly isDisabled?: boolean;
  /** Offers null beside the field, under this name; `first` is the number when that is switched off. */
  readonly none?: { readonly name: string; readonly first: string };
}

/** A whole number on a line of its own. */
export function NumberField<Values extends FieldValues, Output>(props: NumberFieldProps<Values, Output>) {
  const { control, name, label, unit, isStacked = false, isDisabled = false, none } = props;
  const { field } = useController({ control, name });
  const { id, input, problem } = useTextInput({ control, name });
  const isNone = field.value === null;
  return (
    <div className={isStacked ? 'number-stacked' : 'settings-line'}>
      <label className={isStacked ? undefined : 'settings-name'} htmlFor={id}>
        {label}
      </label>
      <div>
        <span className="row">
          <input
            {...input}
            className="field number"
            inputMode="numeric"
            maxLength={6}
            disabled={isDisabled || isNone}
          />
          <span className="t2">{unit}</span>
          {none !== undefined && (
            <label className="form-check inline">
              <input
                type="checkbox"
                checked={isNone}
                aria-label={`${label} ${none.name}`}
                onChange={({ target: { checked } }) => field.onChange(checked ? null : none.first)}
              />
              {none.name}
            </label>
          )}
        </span>
        <FieldProblem id={id}>{problem}</FieldProblem>
      </div>
    </div>
  );
}

let isPressed = false;

for (const kind of ['pointerdown', 'pointerup', 'pointercancel'] as const)
  window.addEventListener(
    kind,
    () => {
      isPressed = kind === 'pointerdown';
    },
    true,
  );

/** Runs a job once no pointer button is down, so that a message moves nothing under it. */
export function afterPress(job: () => void): void {
  if (isPressed) window.addEventListener('pointerup', () => setTimeout(job), { once: true });
  else job();
}

/**
 * Hides fields for a secret while the core is gone, and says why: another program may have taken the core's
 * address.
 */
export function WhileConnected({ children }: { children: ReactNode }) {
  const isGone = useApp((state) => state.link === 'down');
  return isGone ? (
    <p className="t2" role="alert">
      {texts.common.secretsLater}
    </p>
  ) : (
    children
  );
}
