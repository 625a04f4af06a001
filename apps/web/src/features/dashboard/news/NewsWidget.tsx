export function NewsWidget() {
  return null;
}
