/**
 * The engine's counters for Prometheus. Invariants: labels come from closed lists (kinds of commands, states of orders,
 * reasons of closes, error codes), never from a client; amounts are in USDT, and exact only as far as a float is.
 */
import { AppError } from '@fulcrum/contract';
import { asMoney, toNumber } from '@fulcrum/domain';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../platform/clock/index.ts';
import type { DecidedBatch } from './engine/batch-decision.ts';
import type { EngineObserver } from './engine/observer.ts';
import { isCrossing, isOfTick } from './engine/queue.ts';

/** Seconds. A batch takes about a millisecond; a second is the limit that a trader notices. */
const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createEngineMetrics(registry: Registry, clock: Clock): EngineObserver {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, buckets: secondsBuckets, registers });
  const commands = counter(
    'fulcrum_commands_total',
    'Commands that changed something, by kind; trigger, fill and fund are those of the engine itself.',
    'kind',
  );
  const refusals = counter(
    'fulcrum_refusals_total',
    'Commands that were answered with an error, by code.',
    'code',
  );
  const orders = counter(
    'fulcrum_orders_total',
    'Orders by the state that a batch left them in: NEW is placed and waiting, FILLED is a fill.',
    'status',
  );
  const closes = counter(
    'fulcrum_closed_positions_total',
    'Closed positions, by the reason of the close.',
    'reason',
  );
  const ledgerEntries = counter('fulcrum_ledger_entries_total', 'Entries written to the ledger.');
  const insurancePaid = counter(
    'fulcrum_insurance_paid_usdt_total',
    'Losses beyond the margin that the insurance paid, in USDT.',
  );
  const batchSeconds = histogram(
    'fulcrum_batch_seconds',
    'From the start of the decision of a batch to its commit.',
  );
  const tickToFillSeconds = histogram(
    'fulcrum_tick_to_fill_seconds',
    'From the tick that crosses a price to the commit of its fill, protection or liquidation.',
  );

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
