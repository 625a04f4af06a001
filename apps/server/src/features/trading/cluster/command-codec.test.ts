import { AppError } from '@fulcrum/contract';
import { type Command, parseDecimal } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { CommandLate, OutcomeUnknown, SlotMoved } from '../engine/router-errors.ts';
import {
  decodeCommands,
  decodeOutcomes,
  encodeCommands,
  encodeOutcomes,
  type Outcome,
  outcomeOf,
  type SentCommand,
} from './command-codec.ts';

const id = '3f2b5c1e-0b6a-4d7e-9c58-6f1d2a3b4c5d';
const units = (text: string) => parseDecimal(text) as never;
/** As it travels: through JSON. */
const travel = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const commands: readonly Command[] = [
  {
    ...{
      kind: 'open',
      symbol: 'BTCUSDT',
      side: 'BUY',
      size: units('0.00000001'),
      leverage: 10,
      quoteId: null,
    },
    ...{ expectedPrice: units('12345678901234567890.12345678'), takeProfitPrice: null, stopLossPrice: null },
  },
  {
    ...{ kind: 'place', symbol: 'X', type: 'LIMIT', side: 'SELL', price: units('5'), size: units('0') },
    ...{
      leverage: null,
      clientId: 'a\ud800',
      keepRejected: true,
      takeProfitPrice: null,
      stopLossPrice: null,
    },
    ...{ triggerPrice: units('1.5'), trailRate: units('2.5'), expiresAt: 5, boundPositionId: id },
  },
  { kind: 'amend', orderId: id, price: units('3'), triggerPrice: null, size: units('7') },
  { kind: 'protect', positionId: id, takeProfitPrice: units('9') },
  { kind: 'close', positionId: id, size: null, reason: 'manual' },
  { kind: 'adjust_margin', positionId: id, amount: units('-12.5') },
  { kind: 'reset', startBalance: units('10000') },
  {
    kind: 'close_out',
    marks: { X: { price: units('5.5'), state: 'held' }, Y: { price: units('7'), state: 'live' } },
  },
  {
    ...{ kind: 'edit', positionId: id, expectedVersion: 3, reason: '12' },
    edit: {
      entryPrice: units('1'),
      closePrice: null,
      size: units('2'),
      side: 'BUY',
      realizedPnl: units('-1'),
    },
  },
];

describe('commands', () => {
  test.each(commands)('$kind arrives as it was sent', (command) => {
    const sent: SentCommand = {
      ...{ id: 7, until: 1_800_000_000_000, command, requestId: 'r' },
      origin: { accountId: id, ownerId: id, actorId: id, authority: 'assigned', reason: '1.5' },
      key: { ownerId: id, clientId: '5', procedure: 'p', bodyHash: 'h' },
    };
    const encoded = travel(encodeCommands('gateway', [sent]));
    expect(decodeCommands(encoded)).toEqual({ from: 'gateway', commands: [sent] });
  });

  test('a command of another kind is unreadable, also one that is named as a method of every object', () => {
    const [command] = commands;
    const sent = { id: 1, until: 1, command: command!, requestId: null, key: null };
    const origin = { accountId: id, ownerId: id, actorId: id, authority: null, reason: null };
    for (const kind of ['trigger', 'toString', 'later']) {
      const encoded = travel(
        encodeCommands('gateway', [{ ...sent, origin, command: { ...sent.command, kind } as Command }]),
      );
      expect(decodeCommands(encoded)).toEqual({ from: 'gateway', commands: [null] });
    }
  });

  test('what is no message of commands is none', () => {
    for (const payload of [null, 'x', {}, { from: 1, commands: [] }, { from: 'g', commands: {} }])
      expect(decodeCommands(payload)).toBeNull();
  });
});

describe('outcomes', () => {
  const outcomes: readonly Outcome[] = [
    { kind: 'done', answer: { id, size: 1.5, closed_at: null } },
    {
      kind: 'refused',
      error: new AppError('price_moved', 'It moved', { details: '{"price":1}', hint: 'Look' }),
    },
    { kind: 'moved' },
    { kind: 'late' },
    { kind: 'unknown' },
  ];

  test('arrive as they were sent', () => {
    const sent = outcomes.map((outcome, n) => ({ id: n, outcome }));
    const [, refused, ...rest] = decodeOutcomes(travel(encodeOutcomes(sent)));
    expect(refused?.outcome.kind === 'refused' && { ...refused.outcome.error }).toEqual(
      expect.objectContaining({ code: 'price_moved', status: 409, details: '{"price":1}', hint: 'Look' }),
    );
    expect(rest).toEqual(sent.slice(2));
  });

  test('a fault stays a fault, and a code of a later release a conflict with its text', () => {
    const fault: Outcome = { kind: 'refused', error: new Error('the batch was refused') };
    const [read] = decodeOutcomes(travel(encodeOutcomes([{ id: 1, outcome: fault }])));
    expect(read?.outcome).toEqual(fault);
    expect(read?.outcome.kind === 'refused' && read.outcome.error).not.toBeInstanceOf(AppError);
    const later = { kind: 'refused', code: 'toString', message: 'New', details: null, hint: null };
    const [unknown] = decodeOutcomes({ outcomes: [{ id: 1, outcome: later }] });
    expect(unknown?.outcome).toMatchObject({ error: { code: 'conflict', message: 'New' } });
  });

  test('errors of an engine that concern no client are outcomes of their own', async () => {
    const kinds = await Promise.all(
      [new SlotMoved(), new CommandLate(), new OutcomeUnknown(null), new Error()].map((error) =>
        outcomeOf(Promise.reject(error)),
      ),
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['moved', 'late', 'unknown', 'refused']);
  });

  test('what is no message of outcomes is passed over', () => {
    for (const payload of [null, {}, { outcomes: [{ id: 1, outcome: { kind: 'done' } }] }])
      expect(decodeOutcomes(payload)).toEqual([]);
  });
});
