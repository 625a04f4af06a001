/**
 * What a user chose in the order form of each pair: leverage, order type, the amount's unit, whether the order is protected, and
 * the unit and distances of its protection.
 * Stored in this browser per account. Invariant: at most `pairsMax` pairs are kept, the latest ones; a damaged entry counts as none.
 */
import { type BasicOrderType, basicOrderTypes, isLeverage } from '@fulcrum/domain';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { type AmountUnit, amountUnits } from '../../../shared/preferences/index.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';
import { type ProtectionUnit, protectionUnits } from './protection-units.ts';

export interface TicketMemory {
  readonly leverage?: number;
  readonly type?: BasicOrderType;
  readonly unit?: AmountUnit;
  readonly protects?: boolean;
  readonly protectionUnit?: ProtectionUnit;
  /** Distances as typed; a price is not kept. */
  readonly takeProfit?: string;
  readonly stopLoss?: string;
}

const pairsMax = 100;
const toStorageKey = (accountId: string): string => `fulcrum-ticket.${accountId}`;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** No distance is longer. */
const charsMax = 20;
const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= charsMax;

function parseMemory(stored: unknown): TicketMemory {
  if (!isFields(stored)) return {};
  const { leverage, protects, takeProfit, stopLoss } = stored;
  const type = basicOrderTypes.find((known) => known === stored.type);
  const unit = amountUnits.find((known) => known === stored.unit);
  const protectionUnit = protectionUnits.find((known) => known === stored.protectionUnit);
  return {
    ...(typeof leverage === 'number' && isLeverage(leverage) && { leverage }),
    ...(type && { type }),
    ...(unit && { unit }),
    ...(typeof protects === 'boolean' && { protects }),
    ...(protectionUnit && { protectionUnit }),
    ...(isShort(takeProfit) && { takeProfit }),
    ...(isShort(stopLoss) && { stopLoss }),
  };
}

/** The stored pairs, the oldest first. */
export function parseTicketMemories(text: string | null): ReadonlyMap<string, TicketMemory> {
  const stored = parseJson(text);
  const pairs = Array.isArray(stored) ? stored : [];
  return new Map(
    pairs
      .filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string')
      .map(([symbol, memory]) => [symbol, parseMemory(memory)]),
  );
}

/** The choices for a pair; empty for one that was never changed. A type that is not among the offered ones is left out. */
export function readTicketMemory(
  accountId: string,
  symbol: string,
  offeredTypes: readonly BasicOrderType[],
): TicketMemory {
  const { type, ...memory } = parseTicketMemories(getStored(toStorageKey(accountId))).get(symbol) ?? {};
  return type !== undefined && offeredTypes.includes(type) ? { ...memory, type } : memory;
}

/** Adds to the choices for a pair; null forgets them. */
export function rememberTicket(accountId: string, symbol: string, change: TicketMemory | null): void {
  const memories = new Map(parseTicketMemories(getStored(toStorageKey(accountId))));
  const memory = { ...memories.get(symbol), ...change };
  // Set again, so that the pair is the latest.
  memories.delete(symbol);
  if (change !== null) memories.set(symbol, memory);
  setStored(toStorageKey(accountId), JSON.stringify([...memories].slice(-pairsMax)));
}
