import { expect, test } from 'vitest';
import { createDoorAdmission } from './admission.ts';

test('what is looked up and not found costs its address weight, until it looks nothing up', async () => {
  const slow = { burst: 20, perSecond: 0.001 };
  const admission = createDoorAdmission({
    weightOfKeys: slow,
    weightOfAddress: slow,
    ordersOfKeys: slow,
  });
  let lookups = 0;
  const guess = async () => {
    lookups += 1;
    return null;
  };
  expect(await admission.lookUp('192.0.2.1', 'key', guess)).toBeNull();
  expect(await admission.lookUp('192.0.2.1', 'key', guess)).toBeNull();
  await expect(admission.lookUp('192.0.2.1', 'key', guess)).rejects.toMatchObject({
    status: 429,
    code: -1003,
  });
  expect(lookups).toBe(2);
  expect(await admission.lookUp('192.0.2.2', 'key', async () => 'found')).toBe('found');
});
