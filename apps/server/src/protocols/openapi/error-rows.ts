/** The errors of `/fapi` and of `/rest/v1`, read from where they are declared. `{…}` stands for what a text says of a request. */
import { AppError, type ErrorCode, errorStatus } from '@fulcrum/contract';
import type { ErrorRow } from '@fulcrum/contract/openapi';
import { type ExchangeError, exchangeErrorOf, exchangeErrors, faultAnswer } from '../exchange/errors.ts';
import * as restErrors from '../rest/errors.ts';

const codes = Object.keys(errorStatus) as ErrorCode[];
const reason = '{reason}';

const distinct = (rows: readonly ErrorRow[]): ErrorRow[] => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
];

/** Sorted as Binance lists them: from -1000 down. */
export function exchangeErrorRows(): ErrorRow[] {
  const ofRequests = Object.values(exchangeErrors).map((make) =>
    (make as (...parts: string[]) => ExchangeError)('{name}', reason),
  );
  const ofEngine = codes.flatMap((code) => exchangeErrorOf(new AppError(code, reason)) ?? []);
  const rows = [...ofRequests, ...ofEngine, faultAnswer('{request id}')].map(
    ({ status, code, message }): ErrorRow => ({ status, code, message }),
  );
  return distinct(rows).toSorted((a, b) => Number(b.code) - Number(a.code));
}

/** Those of the protocol, then those of the subject matter, whose texts say what to do. */
export function restErrorRows(): ErrorRow[] {
  const {
    malformed,
    badBody,
    noSuchTable,
    noSuchProcedure,
    noSuchColumn,
    denied,
    badValue,
    notOneRow,
    fault,
  } = restErrors;
  const ofProtocol = [
    malformed(reason),
    badBody(reason),
    noSuchTable('{table}'),
    noSuchProcedure('{procedure}'),
    noSuchColumn('{table}', '{column}'),
    denied('anon', '{name}'),
    denied('trader', '{name}'),
    badValue('{type}', '{value}'),
    notOneRow(0),
    restErrors.missingValue('{column}'),
    fault('{request id}'),
  ];
  return distinct([
    ...ofProtocol.map(({ status, code, message }): ErrorRow => ({ status, code, message })),
    ...codes.map((code): ErrorRow => ({ status: errorStatus[code], code, message: reason })),
  ]);
}
