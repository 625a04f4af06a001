import { expect, test, vi } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { sentAgain } from './repeating.ts';

const lost = new RequestError('fetch failed', '', 0);
const refused = new RequestError('Take profit must be above 96.', 'invalid_argument', 400);

test('a lost answer is asked for again, a refusal is not', async () => {
  const send = vi.fn().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost).mockResolvedValueOnce('row');
  await expect(sentAgain(send, [0, 0, 0])).resolves.toBe('row');
  expect(send).toHaveBeenCalledTimes(3);

  const refusing = vi.fn().mockRejectedValue(refused);
  await expect(sentAgain(refusing, [0, 0])).rejects.toBe(refused);
  expect(refusing).toHaveBeenCalledTimes(1);
});

test('without any answer it ends after the last pause', async () => {
  const send = vi.fn().mockRejectedValue(lost);
  await expect(sentAgain(send, [0, 0])).rejects.toBe(lost);
  expect(send).toHaveBeenCalledTimes(3);
});
