/**
 * The engine's counters for Prometheus. Invariants: labels come from closed lists (kinds of commands, states of orders,
 * reasons of closes, error codes), never from a client; amounts are in USDT, and exact only as far as a float is.
 */
import { AppError } from '@fulcrum/contract';
import { asMoney, toNumber } from '@fulcrum/domain';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../platform/clock/index.ts';
import type { DecidedBatch } from './engine/decider.ts';
import type { EngineObserver } from './engine/observer.ts';
import { isCrossing, isOfTick } from './engine/queue.ts';

/** Seconds. A batch takes about a millisecond; a second is the limit that a trader notices. */
const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createEngineMetrics(registry: Registry, clock: Clock): EngineObserver {
  const registers = [registry];
  const commands = new Counter({
    name: 'fulcrum_commands_total',
    help: 'Commands that changed something, by kind; trigger, fill and fund are those of the engine itself.',
    labelNames: ['kind'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'fulcrum_refusals_total',
    help: 'Commands that were answered with an error, by code.',
    labelNames: ['code'] as const,
    registers,
  });
  const orders = new Counter({
    name: 'fulcrum_orders_total',
    help: 'Orders by the state that a batch left them in: NEW is placed and waiting, FILLED is a fill.',
    labelNames: ['status'] as const,
    registers,
  });
  const closes = new Counter({
    name: 'fulcrum_closed_positions_total',
    help: 'Closed positions, by the reason of the close.',
    labelNames: ['reason'] as const,
    registers,
  });
  const ledgerEntries = new Counter({
    name: 'fulcrum_ledger_entries_total',
    help: 'Entries written to the ledger.',
    registers,
  });
  const insurancePaid = new Counter({
    name: 'fulcrum_insurance_paid_usdt_total',
    help: 'Losses beyond the margin that the insurance paid, in USDT.',
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'fulcrum_batch_seconds',
    help: 'From the start of the decision of a batch to its commit.',
    buckets: secondsBuckets,
    registers,
  });
  const tickToFillSeconds = new Histogram({
    name: 'fulcrum_tick_to_fill_seconds',
    help: 'From the tick that crosses a price to the commit of its fill, protection or liquidation.',
    buckets: secondsBuckets,
    registers,
  });

  function countLedger(decided: DecidedBatch): void {
    let [entries, paid] = [0, 0n];
    for (const { steps } of decided.applied) {
      for (const { decision } of steps) {
        for (const group of decision.effects.ledger) {
          entries += group.entries.length;
          for (const { account, amount } of group.entries) if (account === 'insurance') paid -= amount;
        }
      }
    }
    ledgerEntries.inc(entries);
    // What it receives back would make the counter fall.
    if (paid > 0n) insurancePaid.inc(toNumber(asMoney(paid)));
  }

  return {
    begin: () => {
      const stopTimer = batchSeconds.startTimer();
      return (decided) => {
        stopTimer();
        const now = clock.now();
        for (const { waiting, steps } of decided.applied) {
          for (const { command } of steps) commands.inc({ kind: command.kind });
          if (isCrossing(waiting) && isOfTick(waiting))
            tickToFillSeconds.observe((now - waiting.crossedAt) / 1000);
        }
        for (const draft of decided.drafts) {
          for (const { after } of draft.changedOrders) orders.inc({ status: after.status });
          for (const { before, after } of draft.changedPositions) {
            if (after.closing !== null && !before?.closing) closes.inc({ reason: after.closing.reason });
          }
        }
        countLedger(decided);
      };
    },
    refused: (error) => refusals.inc({ code: error instanceof AppError ? error.code : 'internal' }),
  };
}
