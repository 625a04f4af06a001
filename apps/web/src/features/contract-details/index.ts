/** The details of a pair's contract: settlement, hours, steps, formulas, source of the price. */
export { ContractDetailsButton } from './ContractDetailsButton.tsx';
