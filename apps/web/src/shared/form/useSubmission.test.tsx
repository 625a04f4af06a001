/** What counts as a failed request. The hook runs in one server render, whose state never changes. */
import type { FormEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { useSubmission } from './useSubmission.ts';

type Options = Parameters<typeof useSubmission<never>>[0];

/** Submits a form without fields. */
async function submit(options: Pick<Options, 'send' | 'failed'>): Promise<void> {
  const submitted: (() => Promise<void>)[] = [];
  function Form() {
    const { form } = useSubmission<never>({ names: [], check: () => ({}), ...options });
    const event = { preventDefault: () => {} } as FormEvent<HTMLFormElement>;
    submitted.push(() => form.onSubmit(event));
    return null;
  }
  renderToStaticMarkup(<Form />);
  await submitted[0]?.();
}

const fault = new Error('no toast');
const throwFault = () => {
  throw fault;
};

test('a fault after the answer does not make a command that was carried out read as refused', async () => {
  const failed = vi.fn(() => 'Failed to create user');
  await expect(submit({ send: async () => throwFault, failed })).rejects.toBe(fault);
  expect(failed).not.toHaveBeenCalled();
});

test('a rejected request is a failure, and nothing follows it', async () => {
  const follow = vi.fn();
  const failed = vi.fn(() => 'Failed to create user');
  const send = async () => {
    throwFault();
    return follow;
  };
  await submit({ send, failed });
  expect(failed).toHaveBeenCalledExactlyOnceWith(fault);
  expect(follow).not.toHaveBeenCalled();
});

test('what follows a success happens once', async () => {
  const follow = vi.fn();
  await submit({ send: async () => follow });
  expect(follow).toHaveBeenCalledOnce();
});
