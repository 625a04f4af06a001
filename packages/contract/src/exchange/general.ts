/** What needs no market and no account. */
import { z } from 'zod';
import { exchangeRoute, wire } from './route.ts';

export const ping = exchangeRoute({
  name: 'ping',
  method: 'GET',
  paths: ['/fapi/v1/ping'],
  access: 'public',
  weight: 1,
  summary: 'Whether the server answers.',
  params: z.object({}),
  result: z.object({}),
});

export const serverTime = exchangeRoute({
  name: 'serverTime',
  method: 'GET',
  paths: ['/fapi/v1/time'],
  access: 'public',
  weight: 1,
  summary: 'The time that signed requests are judged by.',
  params: z.object({}),
  result: z.object({ serverTime: wire.time }),
});
