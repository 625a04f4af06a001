export function HoldingsWidget() {
  return null;
}
