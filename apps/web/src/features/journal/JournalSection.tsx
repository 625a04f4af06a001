export function JournalSection() {
  return null;
}
