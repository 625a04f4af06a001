/** What needs no market and no account. */
import { z } from 'zod';
import { publicRoute, wire } from './route.ts';

export const ping = publicRoute('ping', 'GET', ['/fapi/v1/ping'], {
  weight: 1,
  summary: 'Whether the server answers.',
  params: z.object({}),
  result: z.object({}),
});

export const serverTime = publicRoute('serverTime', 'GET', ['/fapi/v1/time'], {
  weight: 1,
  summary: 'The time that signed requests are judged by.',
  params: z.object({}),
  result: z.object({ serverTime: wire.time }),
});
