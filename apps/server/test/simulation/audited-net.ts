/**
 * The auditor's accounts with net positions (A113, A114). Own arithmetic and own copies of the published tables; only the levels come
 * from the market, as prices do.
 */
import type { Command } from '@fulcrum/domain';
import { leverageOf, type NetCase } from './audited-net-case.ts';
import { NetMargin } from './audited-net-margin.ts';
import { NetOrders } from './audited-net-orders.ts';
import type { AuditedAccount } from './ledger-book.ts';

/** Judges one command on one account; it may have changed the account even where it refuses, so it gets a copy first. */
export class NetJudge {
  readonly #account: AuditedAccount;
  readonly #orders: NetOrders;
  readonly #margin: NetMargin;

  constructor(...given: ConstructorParameters<typeof NetCase>) {
    [, this.#account] = given;
    this.#orders = new NetOrders(...given);
    this.#margin = new NetMargin(...given);
  }

  /** Whether the account owes or is owed something, which comes before every other command. */
  get isFundingDue(): boolean {
    return this.#margin.isFundingDue;
  }

  /** Null: the command is decided as in any account. */
  judge(command: Command): readonly string[] | null {
    if (this.#orders.isInTransit(command)) return ['in_transit'];
    switch (command.kind) {
      case 'open':
        return this.#orders.open(command);
      case 'place':
        // Without one an order has the leverage of its symbol.
        return this.#orders.place({
          ...command,
          leverage: command.leverage ?? leverageOf(this.#account, command.symbol),
        });
      case 'fill':
        return this.#orders.fill(command.orderId, command.price);
      case 'amend':
        return this.#orders.amend(command);
      case 'expire':
        return this.#orders.expire(command.orderId);
      case 'follow':
        return this.#orders.follow(command.orderId, command.price);
      case 'reverse':
        return this.#orders.reverse(command);
      case 'set_leverage':
        return this.#margin.setLeverage(command.symbol, command.leverage);
      case 'adjust_margin':
        return this.#margin.adjustMargin(command.positionId, command.amount);
      case 'fund':
        return this.#margin.fund(command.positionId);
      case 'edit':
        return ['net_position_fixed'];
      default:
        return null;
    }
  }
}
