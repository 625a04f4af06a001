import type { accountRoutes } from '@fulcrum/contract/exchange';
import type { HandlersOf } from '../handlers.ts';
import type { OrderDependencies } from '../orders/dependencies.ts';

export const createAccountHandlers = (_: OrderDependencies): HandlersOf<typeof accountRoutes> => ({});
