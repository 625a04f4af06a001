/** What the dialog of a contest or a challenge saves. It runs in one server render, whose list is read again meanwhile. */
import { texts } from '@fulcrum/contract/texts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { RequestError } from '../../shared/supabase/index.ts';
import { useProgramDialog } from './program-dialog.tsx';
import { emptyProgram, type ProgramForm } from './program-form.ts';

vi.mock('../../shared/session/index.ts', () => ({ useSignedIn: () => ({ user: { role: 'admin' } }) }));

interface Row {
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

test('a save names the version that the form was filled from, though the list has a newer one', async () => {
  const first: Row = { id: 'cup', version: 1, name: 'First' };
  const theirs: Row = { id: 'cup', version: 2, name: 'Theirs' };
  const save = vi.fn((_sent: object, _seen: Row | null) =>
    Promise.reject<Row>(new RequestError(texts.changedMeanwhile, 'conflict', 409)),
  );
  const cache = new QueryClient();
  const readAgain = vi.spyOn(cache, 'invalidateQueries');
  const submitted: (() => Promise<void>)[] = [];
  function Page() {
    const [row, setRow] = useState<Row>(first);
    const { submission, form } = useProgramDialog<Row, never, ProgramForm>(
      { edited: row, onSaved: () => {}, onClose: () => {} },
      {
        what: 'Contest',
        initial: (seen) => ({ ...emptyProgram, name: seen?.name ?? '' }),
        names: () => [],
        check: () => ({}),
        lockedReason: () => null,
        save: (form, seen, identify) => save({ ...form, ...identify(form) }, seen),
        readKey: ['programs'],
      },
    );
    if (row === first) setRow(theirs);
    const event = { preventDefault: () => {} } as FormEvent<HTMLFormElement>;
    submitted.push(() => submission.form.onSubmit(event));
    return form.name;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <Page />
    </QueryClientProvider>,
  );
  expect(submitted).toHaveLength(2);
  await submitted.at(-1)?.();
  expect(save).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'First', p_id: 'cup', p_version: 1 }),
    first,
  );
  // The dialog opens with the newer version next time.
  expect(readAgain).toHaveBeenCalledExactlyOnceWith({ queryKey: ['programs'] });
});
