/**
 * Values of the order for components: texts, flags and figures at the price on screen. Invariant: a component renders
 * when its displayed value changes, not when the price does.
 */
import type { Side } from '@fulcrum/domain';
import { useMemo, useSyncExternalStore } from 'react';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { Ticket } from './useTicket.ts';
import { type FailedRule, getFailedRule, getShownRule, type OrderFacts } from './validators.ts';

/** A text, flag or figure of the order that renders only when it changes; calculated at the price on screen. */
export const useTicketValue = <Value extends string | number | boolean | null | undefined>(
  { shownPrice }: Ticket,
  read: () => Value,
): Value => useSyncExternalStore(shownPrice.subscribe, read);

/** The failed rule of the settled fields. */
export function useFailedRule(ticket: Ticket): FailedRule | null {
  useTicketValue(ticket, ticket.shownPrice.get);
  return getShownRule(ticket.factsOf(ticket.state.settled));
}

/** The field where the settled order fails; null when it may be sent. */
export function useFailedField(ticket: Ticket): FailedRule['field'] | null {
  const { state, factsOf } = ticket;
  return useTicketValue(ticket, () => getShownRule(factsOf(state.settled))?.field ?? null);
}

/** Whether this side's order as typed must not be sent. */
export function useIsBlocked(ticket: Ticket, side: Side): boolean {
  const { state, factsOf } = ticket;
  return useTicketValue(ticket, () => getFailedRule(side, factsOf(state.typed)) !== null);
}

/** A figure of the settled order at the price on screen; `read` must depend on its facts alone. */
export function useSettledFigure(ticket: Ticket, read: (facts: OrderFacts) => number | null): LiveSource {
  const { shownPrice, state, available } = ticket;
  const { settled, leverage, type, protects } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figure is that of the settled terms, at any price
  return useMemo(
    () => ({ get: () => read(ticket.factsOf(settled)), subscribe: shownPrice.subscribe }),
    [shownPrice, settled, leverage, type, protects, available, read],
  );
}
