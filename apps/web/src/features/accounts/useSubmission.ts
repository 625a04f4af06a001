/**
 * A form's one way to the server: read the fields, check them, focus the first that is wrong, else send once. The inputs
 * stay uncontrolled, so that password managers fill them as they do anywhere.
 */
import { type FormEvent, useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { openClient } from '../../shared/session/index.ts';

/** By the inputs' names; none or null is no objection. */
type Objections = Readonly<Record<string, string | null>>;

/** Why it was not done: beneath the button, or `at` the field that it is about. */
export interface Refusal<Name extends string = string> {
  readonly text: string;
  readonly at?: Name;
  /** The session is over: only another login helps. */
  readonly isSessionOver?: true;
}

interface Submission<Name extends string> {
  /** Names of the inputs, in the order of the form. */
  readonly names: readonly Name[];
  readonly check: (fields: Readonly<Record<Name, string>>) => Objections;
  /** Null when it is done, else the text to show, or where and what. */
  readonly send: (fields: Readonly<Record<Name, string>>) => Promise<string | Refusal<Name> | null>;
}

function read<Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> {
  const entered = new FormData(form);
  const values = names.map((name) => [name, `${entered.get(name) ?? ''}`]);
  // Object.fromEntries cannot know that the keys are all of `names`.
  return Object.fromEntries(values) as Record<Name, string>;
}

function focusOn(form: HTMLFormElement, name: string): void {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.focus();
}

/** So that what is sent has not to wait for the client's code. */
function fetchClient(): void {
  openClient().catch((cause: unknown) => log.warn('The client did not arrive ahead', cause));
}

export function useSubmission<Name extends string>({ names, check, send }: Submission<Name>) {
  const [errors, setErrors] = useState<Objections>({});
  const [refusal, setRefusal] = useState<Refusal<Name> | null>(null);
  const [pending, setPending] = useState(false);
  // A second submit may come before React has rendered the first one's state.
  const sending = useRef<boolean>(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    const sent = event.currentTarget;
    const fields = read(sent, names);
    const objections = check(fields);
    setErrors(objections);
    setRefusal(null);
    const firstBad = names.find((name) => objections[name]);
    if (firstBad) return focusOn(sent, firstBad);

    sending.current = true;
    setPending(true);
    try {
      const answer = await send(fields);
      const refused = typeof answer === 'string' ? { text: answer } : answer;
      setRefusal(refused);
      if (refused?.at !== undefined) {
        setErrors({ [refused.at]: refused.text });
        focusOn(sent, refused.at);
      }
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  /** What is being corrected is no longer called wrong. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLInputElement) setErrors({ ...errors, [event.target.name]: null });
  };

  /** An emptied form is wrong about nothing. */
  const onReset = () => {
    setErrors({});
    setRefusal(null);
  };

  const errorOf = (name: Name): string | undefined => errors[name] ?? undefined;
  return {
    errorOf,
    /** For beneath the button. */
    failure: refusal && refusal.at === undefined ? refusal.text : null,
    isSessionOver: refusal?.isSessionOver === true,
    pending,
    form: { onSubmit, onInput, onReset, onFocus: fetchClient, noValidate: true },
  } as const;
}
