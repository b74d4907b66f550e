// Renderer: a form over a zod schema: validates it, submits it once, shows the core's refusal.
import { zodResolver } from '@hookform/resolvers/zod';
import { createContext, type ReactNode, useContext, useState } from 'react';
import {
  type Control,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  FormProvider,
  type UseFormProps,
  type UseFormReturn,
  useForm,
  useFormState,
} from 'react-hook-form';
import type { z } from 'zod';
import type { MessageCode } from '../../../shared/text/message.ts';

export type SchemaForm<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>;
export type SchemaControl<Values extends FieldValues, Output> = Control<Values, unknown, Output>;

/**
 * Shows at each field why `schema` refuses it: after the first submit, or from the first edit on (`mode`).
 */
export const useSchemaForm = <Values extends FieldValues, Output>(
  schema: z.ZodType<Output, Values>,
  options: Omit<UseFormProps<Values, unknown, Output>, 'resolver'>,
): SchemaForm<Values, Output> => useForm<Values, unknown, Output>({ ...options, resolver: zodResolver(schema) });

/**
 * Options for values that another window may save meanwhile: fields without edits follow, edited fields
 * stay.
 */
export const KEEP_EDITS = { keepDirtyValues: true, keepErrors: true } as const;

/** The values are saved: they no longer count as edits. */
export const markSaved = <Values extends FieldValues, Output>(form: SchemaForm<Values, Output>): void =>
  form.reset(form.getValues(), { keepDirtyValues: false });

/** Shows in `FormStatus` how many fields are invalid. */
export const showInvalid =
  <Values extends FieldValues, Output>(form: SchemaForm<Values, Output>, message: (count: number) => string) =>
  (errors: FieldErrors<Values>): void =>
    form.setError('root', { type: 'invalid', message: message(countOf(errors)) });

/** Fields may be nested. */
const countOf = (errors: object): number =>
  Object.values(errors).reduce((count, each) => count + (typeof each.type === 'string' ? 1 : countOf(each)), 0);

/**
 * Whether the last submit was accepted. Not the library's flag, which is lost when the form is reset
 * meanwhile.
 */
const AcceptedContext = createContext(false);

export type Submitted =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly code?: MessageCode };

interface FormProps<Values extends FieldValues, Output> {
  readonly form: SchemaForm<Values, Output>;
  /** Receives valid values; an answer that is not ok is shown as the refusal. */
  readonly onSubmit: (values: Output) => Promise<Submitted | undefined> | undefined;
  /**
   * The field at which to show a refusal, whose code is the type of the error; otherwise `FormProblem` or
   * `FormStatus` shows it.
   */
  readonly refusalAt?: FieldPath<Values>;
  readonly onAccepted?: () => void;
  /** Called after a submit that the schema refused. */
  readonly onInvalid?: (errors: FieldErrors<Values>) => void;
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const { form, onSubmit, onAccepted, refusalAt = 'root', onInvalid, label, className, children } = props;
  const { isSubmitting } = useFormState({ control: form.control });
  const [isAccepted, setAccepted] = useState(false);
  const submit = form.handleSubmit(async (values) => {
    setAccepted(false);
    const answer = await onSubmit(values);
    setAccepted(answer?.ok === true);
    if (answer?.ok === true) onAccepted?.();
    if (answer?.ok === false) form.setError(refusalAt, { type: answer.code ?? 'refused', message: answer.error });
  }, onInvalid);
  return (
    <FormProvider {...form}>
      <form
        className={className}
        aria-label={label}
        noValidate
        onChange={() => {
          form.clearErrors('root');
          setAccepted(false);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void submit(event);
        }}
      >
        <AcceptedContext value={isAccepted}>{children}</AcceptedContext>
      </form>
    </FormProvider>
  );
}

interface StateProps<Values extends FieldValues, Output> {
  readonly control: SchemaControl<Values, Output>;
}

/** The refusal of the whole form. */
export function FormProblem<Values extends FieldValues, Output>({ control }: StateProps<Values, Output>) {
  const { errors } = useFormState({ control });
  return <FieldProblem>{errors.root?.message}</FieldProblem>;
}

/** The refusal of the whole form, or `saved` until the next edit. */
export function FormStatus<Values extends FieldValues, Output>({
  control,
  saved,
}: StateProps<Values, Output> & { readonly saved: string }) {
  const { errors, isDirty } = useFormState({ control });
  const isAccepted = useContext(AcceptedContext);
  return (
    <span role="status" className="t2 grow">
      {errors.root?.message ?? (isAccepted && !isDirty ? saved : '')}
    </span>
  );
}

/** The error of a field, announced when it appears. @param id of the field */
export const FieldProblem = ({ id, children }: { readonly id?: string; readonly children: ReactNode }) =>
  children == null || children === '' ? null : (
    <p id={id === undefined ? undefined : `${id}-problem`} className="form-problem" role="alert">
      {children}
    </p>
  );

interface SaveRowProps<Values extends FieldValues, Output> extends StateProps<Values, Output> {
  readonly save: string;
  readonly saved: string;
  /** Absent: the main button of its page. */
  readonly buttonClass?: 'btn' | 'btn line';
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The last row of a form that stays open: its button, and what became of the last submit. */
export const SaveRow = <Values extends FieldValues, Output>({
  control,
  save,
  saved,
  buttonClass,
  children,
}: SaveRowProps<Values, Output>) => (
  <div className="form-row">
    <button type="submit" className={buttonClass ?? 'btn primary'}>
      {save}
    </button>
    {children}
    <FormStatus control={control} saved={saved} />
  </div>
);

interface DialogActionsProps {
  readonly cancel: string;
  readonly submit: string;
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The last row of a dialog with a form. */
export const DialogActions = ({ cancel, submit, isDisabled = false, onClose, children }: DialogActionsProps) => (
  <div className="dialog-actions">
    {children}
    <button type="button" className="btn line" onClick={onClose}>
      {cancel}
    </button>
    <button type="submit" className="btn primary" disabled={isDisabled}>
      {submit}
    </button>
  </div>
);
