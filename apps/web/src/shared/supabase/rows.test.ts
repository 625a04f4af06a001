import { expect, test } from 'vitest';
import { fromWire } from './rows.ts';

test('ENT-04, ENT-10: a wire row gets the camelCase names of the documents', () => {
  expect(fromWire({ id: 'w', available_balance: 8164.32, last_updated: null, high_24h: 2 })).toEqual({
    id: 'w',
    availableBalance: 8164.32,
    lastUpdated: null,
    high24h: 2,
  });
  const user = { phone_number: '+1', created_at: 'then', last_login: 'now', manager_id: 'm' };
  expect(fromWire(user)).toEqual({ phoneNumber: '+1', createdAt: 'then', lastLogin: 'now', managerId: 'm' });
});
