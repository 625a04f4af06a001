/**
 * Closes a position, whole or in part (A23). The price is the server's; a claimed price never counts and never refuses
 * (A18). A closed part gets an id of its own, the rest keeps everything else.
 */
import { asMoney } from '../money.ts';
import { checkAmount } from '../pairs.ts';
import type { Account, Position } from './account.ts';
import { Changes } from './changes.ts';
import { closePosition, closePriceOf } from './closing.ts';
import { type CloseCommand, type Context, type Decision, refuse } from './commands.ts';
import { splitPosition } from './split.ts';
