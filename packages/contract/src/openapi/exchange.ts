/** OpenAPI 3.1 of `/fapi`, made of the routes in `../exchange`. Pure. */
import { orderTypes, sides, timesInForce } from '@fulcrum/domain';
import { z } from 'zod';
import { accountRoutes, positionRisk } from '../exchange/account.ts';
import { exchangeRoutes } from '../exchange/index.ts';
import { marketDataRoutes } from '../exchange/market-data.ts';
import { wireAlgoOrder, wireOrder, wireTrade } from '../exchange/order-shapes.ts';
import { orderRoutes } from '../exchange/orders.ts';
import type { ExchangeAccess, ExchangeRoute, ExchangeWeight } from '../exchange/route.ts';
import { streamRoutes } from '../exchange/streams.ts';
import {
  component,
  createSchemas,
  type DescribedServer,
  errorTable,
  type JsonSchema,
  jsonContent,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  propertiesOf,
  type Reference,
  type Security,
} from './document.ts';

const subjects: readonly {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly unknown[];
}[] = [
  { name: 'Market data', description: 'Needs no key.', routes: marketDataRoutes },
  { name: 'Account', description: "The key's account: balance, positions, income.", routes: accountRoutes },
  { name: 'Orders', description: 'Orders, and conditional ("algo") orders.', routes: orderRoutes },
  {
    name: 'User data stream',
    description: 'Keys of the socket with events of the account.',
    routes: streamRoutes,
  },
];
const general = { name: 'General', description: 'Whether the server answers, and its time.' };
const subjectOf = (route: ExchangeRoute): string =>
  subjects.find(({ routes }) => routes.includes(route))?.name ?? general.name;

const security: Readonly<Record<ExchangeAccess, readonly Security[]>> = {
  public: [],
  key: [{ apiKey: [] }],
  read: [{ apiKey: [], signature: [] }],
  trade: [{ apiKey: [], signature: [] }],
};
const accessText: Readonly<Record<ExchangeAccess, string>> = {
  public: 'Needs no key.',
  key: 'Needs an API key, no signature.',
  read: 'Signed; the key needs the scope `read`.',
  trade: 'Signed; the key needs the scope `trade`.',
};

/** Words that are sent as text in any case, so their schema does not list them. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  side: sides,
  positionSide: ['BOTH'],
  type: orderTypes,
  timeInForce: timesInForce,
  algoType: ['CONDITIONAL'],
  interval: ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '3d', '1w', '1M'],
  marginType: ['ISOLATED'],
};
function sentText(name: string, schema: JsonSchema): string | undefined {
  const values = knownValues[name];
  if (values && !('enum' in schema)) return `One of ${values.join(', ')}.`;
  if (/time$/i.test(name) || name === 'goodTillDate') return 'Milliseconds, of instants since the epoch.';
  return undefined;
}

const signed: readonly Parameter[] = [
  {
    ...{ name: 'timestamp', in: 'query', required: true, schema: { type: 'integer' } },
    description: 'When the request was made, ms since the epoch: at most 1 s ahead of the server.',
  },
  {
    ...{ name: 'recvWindow', in: 'query', schema: { type: 'number', default: 5000, maximum: 60_000 } },
    description: 'How old the request may be when it arrives, ms.',
  },
  {
    ...{
      name: 'signature',
      in: 'query',
      required: true,
      schema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    },
    description: 'HMAC-SHA256, hex, with the secret, of the query and the body as sent, without `signature`.',
  },
];
const isSigned = ({ access }: ExchangeRoute) => access === 'read' || access === 'trade';

function weightText(weight: ExchangeWeight): string {
  if (typeof weight === 'number') return `Weight ${weight}.`;
  const { parameter, absent, present } = weight;
  if (typeof present === 'number') return `Weight ${present} with \`${parameter}\`, ${absent} without.`;
  const steps = present.map(([upTo, cost]) => `${cost} up to ${upTo}`);
  return `Weight by \`${parameter}\`: ${steps.join(', ')}; ${absent} without.`;
}

const usedWeight = {
  'X-MBX-USED-WEIGHT-1M': {
    description: 'What the key, or without one the address, has used of its weight.',
    schema: { type: 'integer' },
  },
} as const;
const orderCounts = {
  'X-MBX-ORDER-COUNT-10S': { description: 'Orders of the key that count.', schema: { type: 'integer' } },
  'X-MBX-ORDER-COUNT-1M': { description: 'The same number.', schema: { type: 'integer' } },
} as const;

type Schemas = ReturnType<typeof createSchemas>;

/** GET and DELETE send parameters in the query, POST and PUT in a form; the server reads both of every method. */
function parametersOf(route: ExchangeRoute, schemas: Schemas): Pick<Operation, 'parameters' | 'requestBody'> {
  const given = propertiesOf(schemas.sent(route.params)).map(({ name, schema, required }) => {
    const description = sentText(name, schema);
    return { name, required, schema, ...(description !== undefined && { description }) };
  });
  if (route.method === 'GET' || route.method === 'DELETE') {
    const inQuery = given.map((parameter): Parameter => ({ ...parameter, in: 'query' }));
    const ofSignature: Reference[] = isSigned(route)
      ? signed.map(({ name }) => component('parameters', name))
      : [];
    return { parameters: [...inQuery, ...ofSignature] };
  }
  if (route.access === 'key') return {};
  const all = [...given, ...signed.map((parameter) => ({ required: false, ...parameter }))];
  const properties = Object.fromEntries(
    all.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = all.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties, required } } },
    },
  };
}

/** `/fapi/v3/account` of the route `account` is `accountV3`, where the route has several paths. */
const operationIdOf = ({ name, paths }: ExchangeRoute, path: string): string =>
  paths.length === 1 ? name : `${name}${(path.split('/')[2] ?? '').toUpperCase()}`;

function operationOf(route: ExchangeRoute, path: string, schemas: Schemas): Operation {
  return {
    operationId: operationIdOf(route, path),
    tags: [subjectOf(route)],
    summary: route.summary,
    description: [accessText[route.access], weightText(route.weight)]
      .concat(route.orders === undefined ? [] : `Counts as ${route.orders} of the key's orders.`)
      .join(' '),
    security: security[route.access],
    ...parametersOf(route, schemas),
    responses: {
      '200': {
        description: 'Done.',
        headers: { ...usedWeight, ...(route.orders !== undefined && orderCounts) },
        content: jsonContent(schemas.answered(route.result)),
      },
      '400': component('responses', 'Refused'),
      ...(route.access === 'public' ? {} : { '401': component('responses', 'KeyRefused') }),
      '429': component('responses', 'TooMany'),
      '503': component('responses', 'Unavailable'),
    },
    'x-access': route.access,
    'x-weight': route.weight,
    ...(route.orders !== undefined && { 'x-orders': route.orders }),
  };
}

const introduction = `Binance's USD-margined futures, for unmodified clients and paper money. Amounts and prices are decimal strings,
times are milliseconds since the epoch. A signed request carries \`X-MBX-APIKEY\`, \`timestamp\` and \`signature\`.
POST and PUT may also send their parameters in the query, or as a JSON object. What is not listed is not offered (-5000).

## Errors

Every error is \`{code, msg}\`. Where the text is the engine's own, the table has \`{reason}\`.
`;

const errorSchema = z.object({ code: z.number().int(), msg: z.string() });
const refusal = (description: string) => ({
  description,
  content: jsonContent(component('schemas', 'Error') as unknown as JsonSchema),
});
const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } as const;

/** Every route at each of its paths, once. */
export function describeExchange({ version, errors }: DescribedServer): OpenApiDocument {
  const schemas = createSchemas({
    ...{ Order: wireOrder, AlgoOrder: wireAlgoOrder, Trade: wireTrade, PositionRisk: positionRisk },
    Error: errorSchema,
  });
  schemas.answered(errorSchema);
  const paths: Record<string, PathItem> = {};
  for (const route of exchangeRoutes as readonly ExchangeRoute[]) {
    for (const path of route.paths) {
      const method = route.method.toLowerCase() as Method;
      paths[path] = { ...paths[path], [method]: operationOf(route, path, schemas) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fulcrum exchange API', version, description: introduction + errorTable(errors) },
    servers: [{ url: '/' }],
    tags: [general, ...subjects].map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components(),
      parameters: Object.fromEntries(signed.map((parameter) => [parameter.name, parameter])),
      responses: {
        Refused: refusal('Refused; nothing was done.'),
        KeyRefused: refusal(
          'The key is not ours, unknown, revoked, of another address or without the scope.',
        ),
        TooMany: { ...refusal('More weight or orders than allowed.'), headers: retryAfter },
        Unavailable: { ...refusal('No price, a halt, or too much to do; try again.'), headers: retryAfter },
      },
      securitySchemes: {
        apiKey: {
          ...{ type: 'apiKey', in: 'header', name: 'X-MBX-APIKEY' },
          description: 'A key of Account Settings, API keys; it begins with `paper_`.',
        },
        signature: {
          ...{ type: 'apiKey', in: 'query', name: 'signature' },
          description: 'HMAC-SHA256 of the request with the secret, together with `timestamp`.',
        },
      },
    },
  };
}
