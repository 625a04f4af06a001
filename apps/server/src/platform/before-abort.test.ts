import { expect, test, vi } from 'vitest';
import { beforeAbort } from './before-abort.ts';

const refusal = () => new Error('too late');

test('what comes before the signal is the result, and nothing listens any more', async () => {
  const aborting = new AbortController();
  const removed = vi.spyOn(aborting.signal, 'removeEventListener');
  expect(await beforeAbort(Promise.resolve('done'), aborting.signal, refusal)).toBe('done');
  await expect(beforeAbort(Promise.reject(new Error('broken')), aborting.signal, refusal)).rejects.toThrow(
    'broken',
  );
  await Promise.resolve();
  expect(removed).toHaveBeenCalledTimes(2);
});

test('what comes after the signal is refused, and its result is not lost', async () => {
  const aborting = new AbortController();
  const work = Promise.withResolvers<string>();
  const late = vi.fn();
  const waiting = beforeAbort(work.promise, aborting.signal, refusal, late);
  aborting.abort();
  await expect(waiting).rejects.toThrow('too late');
  expect(late).not.toHaveBeenCalled();
  work.resolve('a slot');
  await work.promise;
  expect(late).toHaveBeenCalledExactlyOnceWith('a slot');
});

test('a signal that has come already refuses, and a failure after it is ignored', async () => {
  const late = vi.fn();
  const work = Promise.reject(new Error('broken'));
  await expect(beforeAbort(work, AbortSignal.abort(), refusal, late)).rejects.toThrow('too late');
  expect(late).not.toHaveBeenCalled();
});
