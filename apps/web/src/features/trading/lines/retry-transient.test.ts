import { expect, test, vi } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { retryTransient } from './retry-transient.ts';

const lost = new RequestError('fetch failed', '', 0);
const refused = new RequestError('Take profit must be above 96.', 'invalid_argument', 400);

test('a request is repeated after a lost answer, but not after a refusal', async () => {
  const send = vi.fn().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost).mockResolvedValueOnce('row');
  await expect(retryTransient(send, [0, 0, 0])).resolves.toBe('row');
  expect(send).toHaveBeenCalledTimes(3);

  const refusing = vi.fn().mockRejectedValue(refused);
  await expect(retryTransient(refusing, [0, 0])).rejects.toBe(refused);
  expect(refusing).toHaveBeenCalledTimes(1);
});

test('without any answer it ends after the last pause', async () => {
  const send = vi.fn().mockRejectedValue(lost);
  await expect(retryTransient(send, [0, 0])).rejects.toBe(lost);
  expect(send).toHaveBeenCalledTimes(3);
});
