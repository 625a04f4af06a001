/** Playbooks of a trader (docs/coach.md): the list on the journal's page, and the one of a trade in its review. */
export { Playbooks } from './lazy-parts.tsx';
export { TradePlaybook } from './TradePlaybook.tsx';
