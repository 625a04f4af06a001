export function CalendarWidget() {
  return null;
}
