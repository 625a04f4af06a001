/**
 * The declaration of a route of `/fapi`. Nothing exists at that door unless it is declared: the server registers what the list
 * names, the authorization matrix walks it, and the OpenAPI description is made of it.
 */
import { z } from 'zod';

/**
 * Who may call it. `public`: everybody. `key`: an API key alone. `read` and `trade`: a signed request of a key with that scope.
 */
export type ExchangeAccess = 'public' | 'key' | 'read' | 'trade';
export type ExchangeMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A weight that depends on one parameter: on whether it is sent, or on its number (each step up to a number, ascending). */
export interface WeightByParameter {
  readonly parameter: string;
  readonly absent: number;
  readonly present: number | readonly (readonly [upTo: number, weight: number])[];
}
export type ExchangeWeight = number | WeightByParameter;

/** What a call with these parameters costs; beyond the last step as much as that. */
export function weightOf(weight: ExchangeWeight, params: Readonly<Record<string, string>>): number {
  if (typeof weight === 'number') return weight;
  const { parameter, absent, present } = weight;
  const value = params[parameter];
  if (value === undefined || value === '') return absent;
  if (typeof present === 'number') return present;
  const step = present.find(([upTo]) => Number(value) <= upTo) ?? present.at(-1);
  return step ? step[1] : absent;
}

export interface ExchangeRoute<
  Name extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodType = z.ZodType,
  Access extends ExchangeAccess = ExchangeAccess,
> {
  /** The operation, in the words of this door's documentation; unique. */
  readonly name: Name;
  readonly method: ExchangeMethod;
  /** One path or, where versions answer alike, several. */
  readonly paths: readonly `/${string}`[];
  readonly access: Access;
  /** What a call costs of the weight of a minute. */
  readonly weight: ExchangeWeight;
  /** How many orders a call counts as; default none. */
  readonly orders?: number;
  /** One sentence for the reference. */
  readonly summary: string;
  /** What is sent, as text; parameters that are not named are ignored. `timestamp`, `recvWindow` and `signature` are not repeated here. */
  readonly params: Params;
  readonly result: Result;
}

const declareFor =
  <A extends ExchangeAccess>(access: A) =>
  <N extends string, P extends z.ZodObject, R extends z.ZodType>(
    name: N,
    method: ExchangeMethod,
    paths: ExchangeRoute['paths'],
    terms: Omit<ExchangeRoute<N, P, R, A>, 'name' | 'method' | 'paths' | 'access'>,
  ): ExchangeRoute<N, P, R, A> => ({ name, method, paths, access, ...terms });
export const publicRoute = declareFor('public');
export const keyRoute = declareFor('key');
export const readRoute = declareFor('read');
export const tradeRoute = declareFor('trade');

/** Parameters as they are sent: always text. */
export const sent = {
  /** An id of the exchange's door, in any case; other characters than ASCII have none, so they stay and name no symbol. */
  symbol: z
    .string()
    .min(1)
    .max(40)
    .transform((text) => (/^[a-z0-9]+$/i.test(text) ? text.toUpperCase() : text)),
  /** A decimal of at most 8 decimals and 20 digits before the point. */
  decimal: z.string().regex(/^\d{1,20}(\.\d{1,20})?$/, 'must be a decimal number'),
  /** Milliseconds since the epoch. */
  time: z
    .string()
    .regex(/^\d{1,15}$/, 'must be milliseconds since the epoch')
    .transform(Number),
  /** A number of this door, below 2^53. */
  id: z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number),
  /** Of which the engine says whether it is one that it knows. */
  number: z
    .string()
    .regex(/^-?\d{1,9}(\.\d{1,9})?$/, 'must be a number')
    .transform(Number),
  flag: z
    .string()
    .regex(/^(true|false)$/i, 'must be true or false')
    .transform((text) => text.toLowerCase() === 'true'),
  clientId: z.string().regex(/^[.A-Z:/a-z0-9_-]{1,36}$/, 'must match ^[\\.A-Z\\:/a-z0-9_-]{1,36}$'),
  /** A bounded number of rows. */
  limit: (byDefault: number, most: number) =>
    z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(1).max(most))
      .default(byDefault),
} as const;

/** Answers: decimals are text, times are milliseconds since the epoch. */
export const wire = {
  decimal: z.string(),
  time: z.number().int(),
  id: z.number().int(),
} as const;
