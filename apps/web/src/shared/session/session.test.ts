import { afterEach, expect, test, vi } from 'vitest';
import { RequestError, type Supabase } from '../supabase/index.ts';
import { enter, enterFromLogin, leave, useSession } from './session.ts';

interface Answer {
  readonly data: object | null;
  readonly error: null;
  readonly status: number;
}

/** A client whose profile answers arrive when the test resolves them, in request order. */
function slowClient(readAccount: () => Promise<object | null> = async () => null) {
  const answers: ((row: object | null) => void)[] = [];
  const query = { select: () => query, eq: () => query, maybeSingle: () => awaited() };
  const awaited = () =>
    new Promise<Answer>((resolve) => answers.push((row) => resolve({ data: row, error: null, status: 200 })));
  const client = {
    rest: { from: () => query },
    auth: { signOut: async () => ({ error: null }) },
    readAccount,
  };
  return { supabase: client as unknown as Supabase, answers };
}

const sessionOf = (id: string) => ({ access_token: '', user: { id } });

afterEach(() => useSession.setState({ status: 'signed-out', hasEnded: false }, true));

test('AUTH-41: signed in once the profile is read', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  expect(useSession.getState().status).not.toBe('signed-in');
  answers[0]?.({ id: 'u1', role: 'trader' });
  expect(await entering).toBe(true);
  expect(useSession.getState()).toMatchObject({ status: 'signed-in', user: { id: 'u1' } });
});

test('A112: the page shows the account of its client', async () => {
  const account = { id: 'a1', leverageMax: 5 };
  const { supabase, answers } = slowClient(async () => account);
  const entering = enter(supabase, sessionOf('u1'));
  answers[0]?.({ id: 'u1', role: 'trader' });
  expect(await entering).toBe(true);
  expect(useSession.getState()).toMatchObject({ accountId: 'a1', account, user: { id: 'u1' } });
});

const foreign = '/a/0f8fad5b-d9cb-469f-a165-70867728950e/trading';

test.each([
  ['a page that begins', { status: 'loading' }, true],
  ['a page that has found it out before', { status: 'account-gone', isAtStart: true }, true],
  ['a page that another user left', { status: 'signed-out', hasEnded: false }, false],
] as const)(
  'A112: an account that is not the user’s is never shown as another one, on %s',
  async (_, before, isAtStart) => {
    vi.stubGlobal('location', { pathname: foreign });
    useSession.setState(before, true);
    const { supabase, answers } = slowClient(async () => {
      throw new RequestError('This account is gone.', 'not_found', 404);
    });
    const entering = enter(supabase, sessionOf('u1'));
    answers[0]?.({ id: 'u1', role: 'trader' });
    expect(await entering).toBe(false);
    expect(useSession.getState()).toEqual({ status: 'account-gone', isAtStart });
    vi.unstubAllGlobals();
  },
);

test('A112: a page that is missing on the way, as behind a proxy, is no missing account', async () => {
  vi.stubGlobal('location', { pathname: '/dashboard' });
  const { supabase } = slowClient(async () => {
    throw new RequestError('Not found', '', 404);
  });
  await expect(enter(supabase, sessionOf('u9'))).rejects.toThrow('Not found');
  vi.unstubAllGlobals();
});

test('AUTH-44: a user who logged out while the profile was being read stays signed out', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  await leave(supabase);
  answers[0]?.({ id: 'u1', role: 'trader' });
  expect(await entering).toBe(false);
  expect(useSession.getState()).toEqual({ status: 'signed-out', hasEnded: false });
});

test('AUTH-46: without a profile the session ends', async () => {
  const { supabase, answers } = slowClient();
  const entering = enter(supabase, sessionOf('u1'));
  answers[0]?.(null);
  expect(await entering).toBe(false);
  expect(useSession.getState()).toEqual({ status: 'signed-out', hasEnded: false });
});

test('concurrent reads of one profile share a request, also after a read of another user', async () => {
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

test('AUTH-13: a login whose profile cannot be read ends its session and stays on the form', async () => {
  let signedOut = 0;
  const refused = { data: null, error: { message: 'Not acceptable', code: 'PGRST116' }, status: 406 };
  const query = { select: () => query, eq: () => query, maybeSingle: async () => refused };
  const client = {
    rest: { from: () => query },
    readAccount: async () => null,
    auth: {
      signOut: async () => {
        signedOut += 1;
        return { error: null };
      },
    },
  };
  const supabase = client as unknown as Supabase;
  await expect(enterFromLogin(supabase, sessionOf('u1'))).rejects.toThrow('Not acceptable');
  expect(signedOut).toBe(1);
  expect(useSession.getState()).toEqual({ status: 'signed-out', hasEnded: false });
});
