export function MoversWidget() {
  return null;
}
