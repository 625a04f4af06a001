/**
 * Submits a form: reads the fields, checks them, focuses the first invalid one, else sends once. Inputs are found by their
 * names; they may be uncontrolled, so that password managers can fill them.
 */
import { type FormEvent, useState } from 'react';
import { useRequest } from './useRequest.ts';

/** By the inputs' names; a missing or null entry means valid. */
type FieldErrors = Readonly<Record<string, string | null>>;

/** The error text: beneath the button, or at the field in `at`. */
export interface SubmissionError<Name extends string = string> {
  readonly text: string;
  readonly at?: Name;
  /** The session has ended: only another login helps. */
  readonly isSessionOver?: true;
}

type Failure<Name extends string> = string | SubmissionError<Name>;

interface SubmissionOptions<Name extends string> {
  /** Names of the inputs, in the order of the form. */
  readonly names: readonly Name[];
  readonly check: (fields: Readonly<Record<Name, string>>) => FieldErrors;
  /**
   * Resolves with null or nothing on success, or with what follows it; else with the text to show, or its field and text. A fault
   * in what follows is no failure of the request, which has been carried out.
   */
  readonly send: (
    fields: Readonly<Record<Name, string>>,
  ) => Promise<Failure<Name> | (() => void) | null | undefined>;
  /** The text of a rejected `send`. Without it the rejection is a fault of the program. */
  readonly failed?: (cause: unknown) => Failure<Name>;
}

function readForm<Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> {
  const entered = new FormData(form);
  const values = names.map((name) => [name, `${entered.get(name) ?? ''}`]);
  // Object.fromEntries cannot know that the keys are all of `names`.
  return Object.fromEntries(values) as Record<Name, string>;
}

export function focusField(form: HTMLFormElement | null, name: string): void {
  const input = form?.elements.namedItem(name);
  if (input instanceof HTMLElement) input.focus();
}

const rethrow = (cause: unknown): never => {
  throw cause;
};

export function useSubmission<Name extends string>({
  names,
  check,
  send,
  failed = rethrow,
}: SubmissionOptions<Name>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const { run, pending, error, setError, isBusy } = useRequest<SubmissionError<Name>>();

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy()) return;
    const form = event.currentTarget;
    const fields = readForm(form, names);
    const fieldErrors = check(fields);
    setErrors(fieldErrors);
    setError(null);
    const firstInvalid = names.find((name) => fieldErrors[name]);
    if (firstInvalid) return focusField(form, firstInvalid);
    const show = (failure: Failure<Name>) => {
      const shown = typeof failure === 'string' ? { text: failure } : failure;
      if (shown.at !== undefined) {
        setErrors({ [shown.at]: shown.text });
        focusField(form, shown.at);
      }
      return shown;
    };
    let follow = () => {};
    const isSent = await run(
      async () => {
        const answer = await send(fields);
        if (typeof answer !== 'function') return answer ? show(answer) : null;
        follow = answer;
        return null;
      },
      (cause) => show(failed(cause)),
    );
    if (isSent) follow();
  };

  /** A field that is being corrected loses its error, and a changed form its refusal. */
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if ('name' in target) setErrors({ ...errors, [`${target.name}`]: null });
    if (!error?.isSessionOver) setError(null);
  };

  /** A reset clears all errors. */
  const onReset = () => {
    setErrors({});
    setError(null);
  };

  const errorOf = (name: Name): string | undefined => errors[name] ?? undefined;
  return {
    errorOf,
    /** Ties a field to its name and its error. */
    fieldOf: (name: Name) => ({ name, error: errorOf(name) }),
    /** For beneath the button. */
    failure: error?.at === undefined ? (error?.text ?? null) : null,
    isSessionOver: error?.isSessionOver === true,
    pending,
    form: { onSubmit, onInput, onReset, noValidate: true },
  } as const;
}
