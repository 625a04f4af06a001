export function RiskCalculator() {
  return null;
}
