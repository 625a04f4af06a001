/**
 * A form's one way to the server: read the fields, check them, focus the first that is wrong, else send once. The inputs
 * stay uncontrolled, so that password managers fill them as they do anywhere.
 */
import { type FormEvent, useRef, useState } from 'react';

/** By the inputs' names; none or null is no objection. */
type Objections = Readonly<Record<string, string | null>>;

interface Submission<Name extends string> {
  /** Names of the inputs, in the order of the form. */
  readonly names: readonly Name[];
  readonly check: (fields: Readonly<Record<Name, string>>) => Objections;
  /** Null when it is done, else the text to show. */
  readonly send: (fields: Readonly<Record<Name, string>>) => Promise<string | null>;
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

export function useSubmission<Name extends string>({ names, check, send }: Submission<Name>) {
  const [errors, setErrors] = useState<Objections>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  // A second submit may come before React has rendered the first one's state.
  const sending = useRef<boolean>(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    const fields = read(event.currentTarget, names);
    const objections = check(fields);
    setErrors(objections);
    setFailure(null);
    const firstBad = names.find((name) => objections[name]);
    if (firstBad) return focusOn(event.currentTarget, firstBad);

    sending.current = true;
    setPending(true);
    try {
      setFailure(await send(fields));
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  /** What is being corrected is no longer called wrong. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLInputElement) setErrors({ ...errors, [event.target.name]: null });
  };

  const errorOf = (name: Name): string | undefined => errors[name] ?? undefined;
  return { errorOf, failure, pending, form: { onSubmit, onInput, noValidate: true } } as const;
}
