export function FearGreedWidget() {
  return null;
}
