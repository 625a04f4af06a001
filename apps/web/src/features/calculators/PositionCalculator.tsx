export function PositionCalculator() {
  return null;
}
