/** Listen keys: who has one reads the events of the key's account at a socket. */
import { z } from 'zod';
import { keyRoute } from './route.ts';

const paths = ['/fapi/v1/listenKey'] as const;
const params = z.object({});
const listenKeyAnswer = z.object({ listenKey: z.string() });

export const startUserStream = keyRoute('startUserStream', 'POST', paths, {
  weight: 1,
  summary:
    'The listen key of the API key, valid for 60 minutes from now; the present one where there is one.',
  params,
  result: listenKeyAnswer,
});

export const extendUserStream = keyRoute('extendUserStream', 'PUT', paths, {
  weight: 1,
  summary: 'Makes the listen key valid for 60 minutes from now.',
  params,
  result: listenKeyAnswer,
});

export const closeUserStream = keyRoute('closeUserStream', 'DELETE', paths, {
  weight: 1,
  summary: 'Ends the listen key, and the events of every listener that has it.',
  params,
  result: z.object({}),
});

export const streamRoutes = [startUserStream, extendUserStream, closeUserStream] as const;
