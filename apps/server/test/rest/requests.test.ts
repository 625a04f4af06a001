import { Writable } from 'node:stream';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { anonKey, namedUsers, server, shareRestServer, startRestServer } from './rest-server.ts';

shareRestServer();

async function answerOf(request: Promise<Response>) {
  const answer = await request;
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
}

describe('CALL-02: credentials', () => {
  test('a request needs the anonymous key', async () => {
    const none = await answerOf(fetch(`${server.url}/rest/v1/trading_pairs`));
    expect(none).toMatchObject({ status: 401, body: { message: 'No API key found in request' } });
    const wrong = await answerOf(
      server.fetch('trading_pairs', { headers: { apikey: 'sb_publishable_other' } }),
    );
    expect(wrong).toMatchObject({ status: 401, body: { code: 'PGRST301' } });
  });

  test('the anonymous key as bearer means signed out; a bad token is refused', async () => {
    const signedOut = await server.fetch(
      'trading_pairs',
      { headers: { authorization: `Bearer ${anonKey}` } },
      null,
    );
    expect(signedOut.status).toBe(200);
    const bad = await answerOf(
      server.fetch('trading_pairs', { headers: { authorization: 'Bearer unknown' } }, null),
    );
    expect(bad).toMatchObject({ status: 401, body: { code: 'PGRST301' } });
  });

  test('CALL-01: the application’s name is accepted, and no cache stores a response', async () => {
    const answer = await server.fetch('wallets', { headers: { 'x-application-name': 'fulcrum' } });
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      200,
      'no-store',
      null,
    ]);
  });
});

describe('errors have PostgREST’s shape', () => {
  const keys = ['code', 'message', 'details', 'hint'];

  test.each([
    ['an unknown path', 'a/b', {}, 404, 'PGRST125'],
    ['an unknown table', 'nothing', {}, 404, 'PGRST205'],
    ['an unknown column', 'wallets?select=secret', {}, 400, '42703'],
    ['a bad value', 'wallets?id=eq.1', {}, 400, '22P02'],
    ['another schema', 'wallets', { headers: { 'accept-profile': 'app' } }, 406, 'PGRST106'],
    ['a body that is no JSON', 'favorites', { method: 'POST', body: '{' }, 400, 'PGRST102'],
    ['a poisoned body', 'favorites', { method: 'POST', body: '{"__proto__":{"a":1}}' }, 400, 'PGRST102'],
    [
      'another content type',
      'favorites',
      { method: 'POST', body: 'a', headers: { 'content-type': 'text/csv' } },
      415,
      'PGRST102',
    ],
    [
      'a body that is too large',
      'favorites',
      { method: 'POST', body: JSON.stringify({ symbol: 'A'.repeat(70_000) }) },
      413,
      'payload_too_large',
    ],
    ['a URL that is too long', `wallets?id=in.(${'a,'.repeat(5000)})`, {}, 414, 'PGRST100'],
    ['a command by GET', 'rpc/open_position', {}, 405, 'PGRST101'],
    ['an unknown procedure', 'rpc/drop_everything', { method: 'POST', body: '{}' }, 404, 'PGRST202'],
  ])('%s', async (_what, path, init, status, code) => {
    const answer = await answerOf(server.fetch(path, init));
    expect(Object.keys(answer.body)).toEqual(keys);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a statement that times out is 503 and may be retried', async () => {
    const own = await startRestServer();
    const owner = new pg.Client({ connectionString: own.db.url });
    try {
      await owner.connect();
      await owner.query(
        `alter role fulcrum_app in database ${owner.database} set statement_timeout = '100ms'`,
      );
      await own.db.pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      await owner.query('begin; lock table app.favorites in access exclusive mode');
      const late = await answerOf(own.fetch('favorites'));
      expect(late).toMatchObject({
        status: 503,
        body: { code: '57014', message: 'The service is busy. Please try again shortly.' },
      });
      expect(late.headers.get('retry-after')).toBe('1');
    } finally {
      await owner.end();
      await own.close();
    }
  });

  test('a connection that is lost in the middle of a read is 503, and the next read is answered', async () => {
    const own = await startRestServer();
    const owner = new pg.Client({ connectionString: own.db.url });
    try {
      await owner.connect();
      await owner.query('begin; lock table app.favorites in access exclusive mode');
      const reading = answerOf(own.fetch('favorites'));
      for (let killed = 0; killed === 0; ) {
        const { rowCount } = await owner.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        );
        killed = rowCount ?? 0;
      }
      expect(await reading).toMatchObject({
        status: 503,
        body: { message: 'The service is busy. Please try again shortly.' },
      });
      await owner.query('rollback');
      expect((await own.fetch('favorites')).status).toBe(200);
    } finally {
      await owner.end();
      await own.close();
    }
  });

  test.each(['40P01', '40001'])(
    'a write that PostgreSQL undid with %s is 503 and may be tried again',
    async (code) => {
      const own = await startRestServer();
      try {
        await own.db.asOwner(`insert into app.samples (user_id, label) values ($1, 'a')`, [
          namedUsers.alice.id,
        ]);
        await own.db.asOwner(
          `create function app.undo() returns trigger language plpgsql as
         $$ begin raise exception 'undone' using errcode = '${code}'; end $$`,
        );
        await own.db.asOwner('grant execute on function app.undo() to fulcrum_app');
        await own.db.asOwner(
          'create trigger undo after update on app.samples for each row execute function app.undo()',
        );
        const undone = await answerOf(
          own.fetch('samples?label=eq.a', { method: 'PATCH', body: '{"label":"b"}' }),
        );
        expect(undone).toMatchObject({ status: 503, body: { code } });
        expect(undone.headers.get('retry-after')).toBe('1');
      } finally {
        await own.close();
      }
    },
  );

  test('a fault is logged with its request id and answered without its text', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const own = await startRestServer({
      log: pino({ level: 'error' }, sink),
      procedures: {
        get_candles: async () => {
          throw new Error('the secret of the vault');
        },
      },
    });
    const answer = await answerOf(own.fetch('rpc/get_candles?p_symbol=A&p_timeframe=1m'));
    await own.close();
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'internal', message: 'An unexpected error occurred' },
    });
    expect(JSON.stringify(answer.body)).not.toContain('vault');
    const [logged] = lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject({
      err: { message: 'the secret of the vault' },
      route: '/rest/v1/rpc/:procedure',
    });
    expect(answer.body.details).toBe(`Request ${logged.request_id}`);
  });
});
