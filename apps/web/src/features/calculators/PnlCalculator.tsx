export function PnlCalculator() {
  return null;
}
