import { afterEach, expect, test } from 'vitest';
import type { Supabase } from '../supabase/index.ts';
import { enter, leave, useSession } from './session.ts';

interface Answer {
  readonly data: object | null;
  readonly error: null;
  readonly status: number;
}

/** A client whose profile answers come when the test says so, in the order in which they were asked for. */
function slowClient() {
  const answers: ((row: object | null) => void)[] = [];
  const asked = { select: () => asked, eq: () => asked, maybeSingle: () => awaited() };
  const awaited = () =>
    new Promise<Answer>((resolve) => answers.push((row) => resolve({ data: row, error: null, status: 200 })));
  const client = { rest: { from: () => asked }, auth: { signOut: async () => ({ error: null }) } };
  return { supabase: client as unknown as Supabase, answers };
}

const sessionOf = (id: string) => ({ access_token: '', user: { id } });

afterEach(() => useSession.setState({ status: 'signed-out' }, true));

test('AUTH-41: signed in once the profile is read', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  expect(useSession.getState().status).not.toBe('signed-in');
  answers[0]?.({ id: 'u1', role: 'trader' });
  expect(await entering).toBe(true);
  expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: { id: 'u1' } });
});

test('AUTH-44: who logged out while the profile was being read stays out', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  await leave(supabase);
  answers[0]?.({ id: 'u1', role: 'trader' });
  expect(await entering).toBe(false);
  expect(useSession.getState()).toEqual({ status: 'signed-out' });
});

test('AUTH-46: without a profile the session is given up', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  answers[0]?.(null);
  expect(await entering).toBe(false);
  expect(useSession.getState()).toEqual({ status: 'signed-out' });
});

test('two who ask for one profile at the same time cause one request, also after somebody else was asked for', async () => {
  const { supabase, answers } = slowClient();
  const former = enter(supabase, sessionOf('u1'));
  const [one, other] = [enter(supabase, sessionOf('u2')), enter(supabase, sessionOf('u2'))];
  expect(answers).toHaveLength(2);
  answers[0]?.({ id: 'u1', role: 'trader' });
  await former;
  const third = enter(supabase, sessionOf('u2'));
  expect(answers).toHaveLength(2);
  answers[1]?.({ id: 'u2', role: 'trader' });
  expect(await Promise.all([one, other, third])).toEqual([true, true, true]);
});
