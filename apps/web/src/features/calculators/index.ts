export { PnlCalculator } from './PnlCalculator.tsx';
export { PositionCalculator } from './PositionCalculator.tsx';
export { RiskCalculator } from './RiskCalculator.tsx';
