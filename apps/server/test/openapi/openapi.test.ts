/** The served descriptions: valid OpenAPI 3.1, complete beside the contract, and true of what the server answers. */
import { type Procedure, procedures, roles, type Table, tables } from '@fulcrum/contract';
import { type ExchangeRoute, exchangeRoutes } from '@fulcrum/contract/exchange';
import type { OpenApiDocument, Operation } from '@fulcrum/contract/openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bot, door, shareDoor } from '../exchange/door.ts';

let bot: Bot;
const documents: Record<'rest' | 'exchange', OpenApiDocument> = Object.create(null);
shareDoor();
beforeAll(async () => {
  door.feed.setPrice('BTCUSDT', '60000');
  bot = await door.join();
  for (const name of ['rest', 'exchange'] as const)
    documents[name] = (await (
      await fetch(`${door.server.url}/openapi/${name}.json`)
    ).json()) as OpenApiDocument;
});

const operationsOf = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
const sorted = (lines: readonly string[]) => lines.toSorted();

function operation(name: 'rest' | 'exchange', method: string, path: string): Operation {
  const found = (documents[name].paths[path] as Record<string, Operation> | undefined)?.[
    method.toLowerCase()
  ];
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
}

describe.each(['rest', 'exchange'] as const)('/openapi/%s.json', (name) => {
  test('A119: it is valid OpenAPI 3.1, and each operation has its own id', async () => {
    const result = await new Validator().validate(structuredClone(documents[name]) as never);
    expect(result).toEqual({ valid: true });
    const ids = Object.values(documents[name].paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('A119: every reference of it leads to a component', () => {
    const text = JSON.stringify(documents[name]);
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => path ?? ''));
    expect(references.size).toBeGreaterThan(5);
    const at = (path: string): unknown => {
      let found: unknown = documents[name];
      for (const part of path.replace('#/', '').split('/'))
        found = (found as Record<string, unknown> | undefined)?.[part];
      return found;
    };
    // A component that refers to itself says nothing.
    const missing = [...references].filter((path) => {
      const found = at(path);
      return found === undefined || JSON.stringify(found) === JSON.stringify({ $ref: path });
    });
    expect(missing).toEqual([]);
  });

  test('A119: anybody gets it, compressed where that is accepted, and nothing where it is known', async () => {
    const address = `${door.server.url}/openapi/${name}.json`;
    const first = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = await fetch(address, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const plain = await fetch(address, {
      headers: { 'accept-encoding': 'identity', 'if-none-match': '"other"' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.json()).toEqual(await first.json());
  });
});

describe('complete', () => {
  test('A119: /fapi has every route at every path once, with access, weight and signature', () => {
    const routes = exchangeRoutes as readonly ExchangeRoute[];
    const declared = routes.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
    expect(sorted(operationsOf(documents.exchange))).toEqual(sorted(declared));
    for (const route of routes) {
      for (const path of route.paths) {
        const described = operation('exchange', route.method, path);
        expect(described['x-weight']).toEqual(route.weight);
        expect(described['x-access']).toBe(route.access);
        expect(described.security.length === 0).toBe(route.access === 'public');
        const isSigned =
          JSON.stringify(described).includes('/parameters/signature') || 'signature' in formOf(described);
        expect(isSigned).toBe(route.access === 'read' || route.access === 'trade');
        const names = [...namesIn(described), ...Object.keys(formOf(described))];
        expect(names).toEqual(expect.arrayContaining(Object.keys(route.params.shape)));
      }
    }
  });

  test('A119: /rest/v1 has every use of a table that some role has, and every procedure; queries by GET, too', () => {
    const uses = { GET: 'select', POST: 'insert', PATCH: 'update', DELETE: 'delete' } as const;
    const ofTables = (tables as readonly Table[]).flatMap((table) =>
      Object.entries(uses).flatMap(([method, use]) =>
        roles.some((role) => table.access[role]?.[use]) ? [`${method} /rest/v1/${table.name}`] : [],
      ),
    );
    const ofProcedures = (procedures as readonly Procedure[]).flatMap(({ name, kind }) =>
      (kind === 'query' ? ['GET', 'POST'] : ['POST']).map((method) => `${method} /rest/v1/rpc/${name}`),
    );
    expect(sorted(operationsOf(documents.rest))).toEqual(sorted([...ofTables, ...ofProcedures]));
  });

  test('A119: rights and scopes stand beside each operation', () => {
    for (const procedure of procedures as readonly Procedure[]) {
      const described = operation('rest', 'POST', `/rest/v1/rpc/${procedure.name}`);
      expect(described['x-roles']).toEqual(procedure.roles);
      expect(described['x-api-key-scope']).toBe(procedure.apiKey ?? null);
      expect(described.security.some((way) => 'apiKeyToken' in way)).toBe(procedure.apiKey !== undefined);
    }
    for (const table of tables as readonly Table[]) {
      const described = documents.rest.paths[`/rest/v1/${table.name}`]?.get;
      expect(Object.keys((described?.['x-access'] ?? {}) as object)).toEqual(
        roles.filter((role) => table.access[role]?.select),
      );
    }
  });

  test('A119: errors are those that the server answers', async () => {
    const wrongSymbol = await bot.get('v1/leverageBracket', { symbol: 'NOSUCHUSDT' });
    const row = `| ${wrongSymbol.status} | \`${wrongSymbol.body.code}\` | ${wrongSymbol.body.msg} |`;
    expect(documents.exchange.info.description).toContain(row);
    expect(documents.rest.info.description).toContain('| 400 | `insufficient_balance` |');
  });
});

const namesIn = ({ parameters = [] }: Operation): string[] =>
  parameters.flatMap((parameter) => ('name' in parameter ? [parameter.name] : []));
function formOf({ requestBody }: Operation): Record<string, unknown> {
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema;
  return (form?.properties as Record<string, unknown> | undefined) ?? {};
}

/** Where answers may have more than what is described, a test is stricter: nothing more is sent today. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!(schema instanceof Object)) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isObject = parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return isObject ? { ...parts, additionalProperties: false } : parts;
}

function expectAnswer(
  name: 'rest' | 'exchange',
  method: string,
  path: string,
  status: number,
  body: unknown,
) {
  const document = documents[name];
  const answer = operation(name, method, path).responses[String(status)];
  if (!answer) throw new Error(`${status} of ${method} ${path} is not described`);
  const resolved =
    '$ref' in answer ? document.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer;
  const schema = resolved?.content?.['application/json']?.schema;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile({
    allOf: [closed(schema)],
    components: closed({ schemas: document.components.schemas }),
  });
  validate(body);
  expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
}

describe('true of the running server', () => {
  test.each([
    'ping',
    'time',
    'exchangeInfo',
    'depth?symbol=BTCUSDT',
    'klines?symbol=BTCUSDT&interval=1m&limit=3',
    'ticker/24hr?symbol=BTCUSDT',
    'ticker/bookTicker',
    'premiumIndex?symbol=BTCUSDT',
    'tradingSchedule',
  ])('A119: GET /fapi/v1/%s', async (request) => {
    const answer = await fetch(`${door.server.url}/fapi/v1/${request}`);
    expectAnswer('exchange', 'GET', `/fapi/v1/${request.split('?')[0]}`, answer.status, await answer.json());
  });

  test('A119: orders, positions and balances of a bot', async () => {
    // On a busy machine the first price is stale by now.
    door.feed.setPrice('BTCUSDT', '60000');
    const order = await bot.post('v1/order', {
      ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01, newOrderRespType: 'RESULT' },
    });
    expect(order.body.status).toBe('FILLED');
    expectAnswer('exchange', 'POST', '/fapi/v1/order', order.status, order.body);
    const stop = await bot.post('v1/algoOrder', {
      ...{ symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET', triggerPrice: 50_000, closePosition: true },
    });
    expectAnswer('exchange', 'POST', '/fapi/v1/algoOrder', stop.status, stop.body);
    const paths = ['v3/account', 'v2/account', 'v3/balance', 'v3/positionRisk', 'v1/userTrades', 'v1/income'];
    for (const path of [
      ...paths,
      'v1/allOrders',
      'v1/openAlgoOrders',
      'v1/leverageBracket',
      'v1/symbolConfig',
    ]) {
      const { status, body } = await bot.get(path);
      expect(status).toBe(200);
      expectAnswer('exchange', 'GET', `/fapi/${path}`, status, body);
    }
    const refused = await bot.get('v1/order', { symbol: 'BTCUSDT', orderId: 1 });
    expect(refused.status).toBe(400);
    expectAnswer('exchange', 'GET', '/fapi/v1/order', refused.status, refused.body);
  });

  test('A119: tables and procedures by the key alone', async () => {
    const authorization = `Bearer ${bot.key.apiKey}.${bot.key.secret}`;
    for (const path of [
      'positions',
      'orders',
      'executions',
      'wallets',
      'trading_pairs',
      'rpc/get_book?p_symbol=BTCUSDT',
    ]) {
      const answer = await fetch(`${door.server.url}/rest/v1/${path}`, { headers: { authorization } });
      expect(answer.status).toBe(200);
      expectAnswer('rest', 'GET', `/rest/v1/${path.split('?')[0]}`, answer.status, await answer.json());
    }
    const refused = await fetch(`${door.server.url}/rest/v1/rpc/list_api_keys`, {
      headers: { authorization },
    });
    expect(refused.status).toBe(403);
    expectAnswer('rest', 'GET', '/rest/v1/rpc/list_api_keys', refused.status, await refused.json());
  });
});
