/**
 * What a user chose in the order form of each pair: leverage, order type, the amount's unit, and whether the order is protected.
 * Stored in this browser per user. Invariant: at most `pairsMax` pairs are kept, the latest ones; a damaged entry counts as none.
 */
import { isLeverage, type OrderType, orderTypes } from '@fulcrum/domain';
import { type AmountUnit, amountUnits } from '../../../shared/preferences/index.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';

export interface TicketMemory {
  readonly leverage?: number;
  readonly type?: OrderType;
  readonly unit?: AmountUnit;
  readonly protects?: boolean;
}

const pairsMax = 100;
const toStorageKey = (userId: string): string => `fulcrum-ticket.${userId}`;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function parseMemory(stored: unknown): TicketMemory {
  if (!isFields(stored)) return {};
  const { leverage, protects } = stored;
  const type = orderTypes.find((known) => known === stored.type);
  const unit = amountUnits.find((known) => known === stored.unit);
  return {
    ...(typeof leverage === 'number' && isLeverage(leverage) && { leverage }),
    ...(type && { type }),
    ...(unit && { unit }),
    ...(typeof protects === 'boolean' && { protects }),
  };
}

/** The stored pairs, the oldest first. */
export function parseTicketMemories(text: string | null): ReadonlyMap<string, TicketMemory> {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    const pairs = Array.isArray(stored) ? stored : [];
    return new Map(
      pairs
        .filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string')
        .map(([symbol, memory]) => [symbol, parseMemory(memory)]),
    );
  } catch {
    return new Map();
  }
}

/** The choices for a pair; empty for one that was never changed. */
export const readTicketMemory = (userId: string, symbol: string): TicketMemory =>
  parseTicketMemories(getStored(toStorageKey(userId))).get(symbol) ?? {};

export function rememberTicket(userId: string, symbol: string, change: TicketMemory): void {
  const memories = new Map(parseTicketMemories(getStored(toStorageKey(userId))));
  const memory = { ...memories.get(symbol), ...change };
  // Set again, so that the pair is the latest.
  memories.delete(symbol);
  memories.set(symbol, memory);
  setStored(toStorageKey(userId), JSON.stringify([...memories].slice(-pairsMax)));
}
