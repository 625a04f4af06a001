/**
 * Commands and their outcomes between processes, as JSON. Amounts are decimal strings, an `AppError` its code, message, details and
 * hint. Fields of a later release are passed over, and what is missing or has another type is refused.
 *
 * Known limitation: an error whose code this release does not know arrives as `conflict`, with its text.
 */
import { AppError } from '@fulcrum/contract';
import { type Command, type PositionEdit, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { z } from 'zod';
import { fromWireError, toWireError } from '../../../platform/cluster/wire-errors.ts';
import type { CommandOrigin } from '../engine/queue.ts';
import { CommandLate, OutcomeUnknown, SlotMoved } from '../engine/router-errors.ts';
import type { Answer, IdempotencyKey } from '../engine/store.ts';

/** The engine's own commands are given by no client, and by no other process. */
type OwnKind = 'fill' | 'expire' | 'follow' | 'trigger' | 'fund' | 'judge';
const clientKinds = {
  ...{ open: true, place: true, cancel: true, amend: true, protect: true, close: true, reverse: true },
  ...{ close_at_reopen: true, set_leverage: true, adjust_margin: true },
  ...{ adjust: true, edit: true, restrict: true, reset: true, close_out: true, delete: true },
} as const satisfies Record<Exclude<Command['kind'], OwnKind>, true>;

type DecimalFieldOf<T> = T extends unknown
  ? { [K in keyof T]-?: NonNullable<T[K]> extends bigint ? K : never }[keyof T]
  : never;
/** The compiler demands each amount of a command. */
const decimalFields = {
  ...{
    size: true,
    price: true,
    triggerPrice: true,
    trailRate: true,
    expectedPrice: true,
    arrivalPrice: true,
  },
  ...{ takeProfitPrice: true, stopLossPrice: true, amount: true, startBalance: true },
  ...{ entryPrice: true, closePrice: true, realizedPnl: true, liquidationPrice: true },
} as const satisfies Record<DecimalFieldOf<Command> | DecimalFieldOf<PositionEdit>, true>;

export interface SentCommand {
  /** A new one each time that a command is sent. */
  readonly id: number;
  /** Milliseconds since the epoch, cluster time: later than that nobody wants it. */
  readonly until: number;
  readonly origin: CommandOrigin;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  readonly requestId: string | null;
}

/** What became of a command at an engine. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly error: Error }
  /** Nothing happened: the engine does not own the account's slot. */
  | { readonly kind: 'moved' }
  /** Nothing happened: nobody wants it any more. */
  | { readonly kind: 'late' }
  /** It happened or not. */
  | { readonly kind: 'unknown' };

/** Never rejects. */
export const outcomeOf = (submitted: Promise<Answer>): Promise<Outcome> =>
  submitted.then(
    (answer) => ({ kind: 'done', answer }),
    (error: Error) => {
      if (error instanceof SlotMoved) return { kind: 'moved' };
      if (error instanceof CommandLate) return { kind: 'late' };
      if (error instanceof OutcomeUnknown) return { kind: 'unknown' };
      return { kind: 'refused', error };
    },
  );

const origin = z.object({
  accountId: z.uuid(),
  ownerId: z.uuid(),
  actorId: z.uuid(),
  authority: z.enum(['assigned', 'admin']).nullable(),
  reason: z.string().nullable(),
});
const key = z.object({
  ownerId: z.string(),
  clientId: z.string(),
  procedure: z.string(),
  bodyHash: z.string(),
});
const sentCommand = z.object({
  id: z.int(),
  until: z.number(),
  origin,
  command: z.looseObject({ kind: z.string() }),
  key: key.nullable(),
  requestId: z.string().nullable(),
});
/** `from` is the process that waits for the outcomes. */
const message = z.object({ from: z.string(), commands: z.array(z.unknown()).max(1_000) });

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), answer: z.record(z.string(), z.unknown()) }),
  z.object({
    kind: z.literal('refused'),
    code: z.string().nullable(),
    message: z.string(),
    details: z.string().nullable(),
    hint: z.string().nullable(),
  }),
  z.object({ kind: z.enum(['moved', 'late', 'unknown']) }),
]);
const outcomes = z.object({ outcomes: z.array(z.object({ id: z.int(), outcome })) });

/** Whether the field has amounts of its own: an edit, and the marks by symbol. */
const isNested = (field: unknown): field is object => typeof field === 'object' && field !== null;

/** Decimals of a command, and of the objects in it. */
const encodeFields = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'bigint' ? toDecimalString(field) : isNested(field) ? encodeFields(field) : field,
    ]),
  );

const decodeFields = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      Object.hasOwn(decimalFields, name) && typeof field === 'string'
        ? parseDecimal(field)
        : isNested(field)
          ? decodeFields(field)
          : field,
    ]),
  );

export const encodeCommands = (from: string, commands: readonly SentCommand[]): unknown => ({
  from,
  commands: commands.map((one) => ({ ...one, command: encodeFields(one.command) })),
});

interface CommandMessage {
  readonly from: string;
  /** Null for a command that this release cannot read. */
  readonly commands: readonly (SentCommand | null)[];
}

/** Null for what is no message of commands. */
export function decodeCommands(payload: unknown): CommandMessage | null {
  const read = message.safeParse(payload);
  return read.success ? { from: read.data.from, commands: read.data.commands.map(decodeCommand) } : null;
}

function decodeCommand(payload: unknown): SentCommand | null {
  const read = sentCommand.safeParse(payload);
  if (!read.success || !Object.hasOwn(clientKinds, read.data.command.kind)) return null;
  try {
    return { ...read.data, command: decodeFields(read.data.command) as unknown as Command };
  } catch {
    // A decimal that is none.
    return null;
  }
}

function encodeOutcome(of: Outcome): unknown {
  if (of.kind !== 'refused') return of;
  const { error } = of;
  if (error instanceof AppError) return { kind: 'refused', ...toWireError(error) };
  return { kind: 'refused', code: null, message: error.message, details: null, hint: null };
}

export const encodeOutcomes = (
  of: readonly { readonly id: number; readonly outcome: Outcome }[],
): unknown => ({
  outcomes: of.map((one) => ({ id: one.id, outcome: encodeOutcome(one.outcome) })),
});

const toError = ({ code, ...error }: z.infer<typeof outcome> & { kind: 'refused' }): Error =>
  code === null ? new Error(error.message) : fromWireError({ ...error, code }, 'conflict');

/** None for what is no message of outcomes. */
export function decodeOutcomes(
  payload: unknown,
): readonly { readonly id: number; readonly outcome: Outcome }[] {
  const read = outcomes.safeParse(payload);
  if (!read.success) return [];
  return read.data.outcomes.map(({ id, outcome: of }) => ({
    id,
    outcome: of.kind === 'refused' ? { kind: 'refused', error: toError(of) } : of,
  }));
}
