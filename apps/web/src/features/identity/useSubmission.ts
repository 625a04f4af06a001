/**
 * Submits a form: reads the fields, checks them, focuses the first invalid one, else sends once. The inputs are
 * uncontrolled, so that password managers can fill them.
 */
import { type FormEvent, useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { openClient } from '../../shared/session/index.ts';

/** By the inputs' names; a missing or null entry means valid. */
type FieldErrors = Readonly<Record<string, string | null>>;

/** The error text: beneath the button, or at the field in `at`. */
export interface SubmissionError<Name extends string = string> {
  readonly text: string;
  readonly at?: Name;
  /** The session has ended: only another login helps. */
  readonly isSessionOver?: true;
}

interface SubmissionOptions<Name extends string> {
  /** Names of the inputs, in the order of the form. */
  readonly names: readonly Name[];
  readonly check: (fields: Readonly<Record<Name, string>>) => FieldErrors;
  /** Resolves with null on success, else with the text to show, or its field and text. */
  readonly send: (fields: Readonly<Record<Name, string>>) => Promise<string | SubmissionError<Name> | null>;
}

function readForm<Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> {
  const entered = new FormData(form);
  const values = names.map((name) => [name, `${entered.get(name) ?? ''}`]);
  // Object.fromEntries cannot know that the keys are all of `names`.
  return Object.fromEntries(values) as Record<Name, string>;
}

function focusField(form: HTMLFormElement, name: string): void {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.focus();
}

/** Loads the client's code early, so that sending does not wait for it. */
function preloadClient(): void {
  openClient().catch((cause: unknown) => log.warn('The client could not be preloaded', cause));
}

export function useSubmission<Name extends string>({ names, check, send }: SubmissionOptions<Name>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [submissionError, setSubmissionError] = useState<SubmissionError<Name> | null>(null);
  const [pending, setPending] = useState(false);
  // A second submit may come before React has rendered the first one's state.
  const sending = useRef<boolean>(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    const formElement = event.currentTarget;
    const fields = readForm(formElement, names);
    const fieldErrors = check(fields);
    setErrors(fieldErrors);
    setSubmissionError(null);
    const firstInvalid = names.find((name) => fieldErrors[name]);
    if (firstInvalid) return focusField(formElement, firstInvalid);

    sending.current = true;
    setPending(true);
    try {
      const answer = await send(fields);
      const newError = typeof answer === 'string' ? { text: answer } : answer;
      setSubmissionError(newError);
      if (newError?.at !== undefined) {
        setErrors({ [newError.at]: newError.text });
        focusField(formElement, newError.at);
      }
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  /** A field that is being corrected loses its error. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLInputElement) setErrors({ ...errors, [event.target.name]: null });
  };

  /** A reset clears all errors. */
  const onReset = () => {
    setErrors({});
    setSubmissionError(null);
  };

  const errorOf = (name: Name): string | undefined => errors[name] ?? undefined;
  return {
    errorOf,
    /** For beneath the button. */
    failure: submissionError && submissionError.at === undefined ? submissionError.text : null,
    isSessionOver: submissionError?.isSessionOver === true,
    pending,
    form: { onSubmit, onInput, onReset, onFocus: preloadClient, noValidate: true },
  } as const;
}
